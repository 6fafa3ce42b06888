# SPDX-License-Identifier: MIT
# The cuda.* strategies: every .cu is one, compiled once per precision; those in kernels/ are only kernels, and take
# longest; base/device.c is plain C.
add_library(weft_cuda OBJECT cuda/base/device.c)
weft_target(weft_cuda PRIVATE src cuda)
target_link_libraries(weft_cuda PRIVATE CUDA::cudart_static)
list(APPEND WEFT_PARTS weft_cuda)

# No contraction and no fast math: the GPU gives the bits that the CPU gives. No C++ runtime library.
set(WEFT_CUDA_OPTIONS --fmad=false
    -Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fno-exceptions,-fno-rtti,-fno-threadsafe-statics $<$<BOOL:${WEFT_WERROR}>:-Werror=all-warnings>)

# Kernels of lines that the compiler knows, besides convolutions, are machine code only: a later GPU would compile them
# for minutes when the first plan is made, and has those of run-time radices.
set(WEFT_MACHINE_CODE_ONLY ${CMAKE_CUDA_ARCHITECTURES})
list(TRANSFORM WEFT_MACHINE_CODE_ONLY APPEND -real REGEX "^[0-9]+[af]?$")

set(WEFT_TUNING "" CACHE FILEPATH "A table in place of cuda/tuning.def, see scripts/tune")
foreach(bits 32 64)
    add_library(weft_cuda_lists_f${bits} OBJECT cuda/kernels/short_lists.cu cuda/kernels/long_lists.cu
                cuda/kernels/prime_lists.cu cuda/kernels/lists.cu)
    set_target_properties(weft_cuda_lists_f${bits} PROPERTIES CUDA_ARCHITECTURES "${WEFT_MACHINE_CODE_ONLY}")
    add_library(weft_cuda_f${bits} OBJECT cuda/kernels/convolutions.cu cuda/kernels/halves.cu cuda/kernels/any_length.cu
                cuda/twopass.cu cuda/cooperative.cu cuda/onchip.cu cuda/report.cu cuda/slm.cu cuda/uav.cu)
    foreach(part weft_cuda_lists_f${bits} weft_cuda_f${bits})
        weft_target(${part} PRIVATE src cuda)
        target_compile_definitions(${part} PRIVATE WEFT_REAL_BITS=${bits}
                                   $<$<BOOL:${WEFT_TUNING}>:WEFT_TUNING="${WEFT_TUNING}">)
        target_compile_options(${part} PRIVATE ${WEFT_CUDA_OPTIONS})
        list(APPEND WEFT_PARTS ${part})
    endforeach()
endforeach()

# The fractal codec's kernels.
add_library(weft_fractal_cuda OBJECT fractal/cuda/decoder.cu fractal/cuda/search.cu)
weft_target(weft_fractal_cuda PRIVATE src fractal cuda)
target_compile_options(weft_fractal_cuda PRIVATE ${WEFT_CUDA_OPTIONS})
list(APPEND WEFT_PARTS weft_fractal_cuda)
