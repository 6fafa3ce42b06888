# SPDX-License-Identifier: MIT
# The cuda.* strategies: every .cu is one, compiled once per precision, but those that end in compiled_in.cu, which are
# only kernels and take longest; base/device.c is plain C.
add_library(weft_cuda OBJECT cuda/base/device.c)
weft_target(weft_cuda PRIVATE src cuda)
target_link_libraries(weft_cuda PRIVATE CUDA::cudart_static)
list(APPEND WEFT_PARTS weft_cuda)

# No contraction and no fast math: the GPU gives the bits that the CPU gives. No C++ runtime library.
set(WEFT_CUDA_OPTIONS --fmad=false
    -Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fno-exceptions,-fno-rtti,-fno-threadsafe-statics $<$<BOOL:${WEFT_WERROR}>:-Werror=all-warnings>)

set(WEFT_TUNING "" CACHE FILEPATH "A table in place of cuda/tuning.def, see scripts/tune")
foreach(bits 32 64)
    add_library(weft_cuda_f${bits} OBJECT cuda/lists_compiled_in.cu cuda/short_lists_compiled_in.cu
                cuda/convolutions_compiled_in.cu cuda/halves_compiled_in.cu cuda/run_time.cu cuda/twopass.cu
                cuda/cooperative.cu cuda/onchip.cu cuda/report.cu cuda/slm.cu cuda/uav.cu)
    weft_target(weft_cuda_f${bits} PRIVATE src cuda)
    target_compile_definitions(weft_cuda_f${bits} PRIVATE WEFT_REAL_BITS=${bits}
                               $<$<BOOL:${WEFT_TUNING}>:WEFT_TUNING="${WEFT_TUNING}">)
    target_compile_options(weft_cuda_f${bits} PRIVATE ${WEFT_CUDA_OPTIONS})
    list(APPEND WEFT_PARTS weft_cuda_f${bits})
endforeach()

# The fractal codec's kernels.
add_library(weft_fractal_cuda OBJECT fractal/cuda/decoder.cu fractal/cuda/search.cu)
weft_target(weft_fractal_cuda PRIVATE src fractal cuda)
target_compile_options(weft_fractal_cuda PRIVATE ${WEFT_CUDA_OPTIONS})
list(APPEND WEFT_PARTS weft_fractal_cuda)
