# SPDX-License-Identifier: MIT
# weft reproduce dx11, where there is CUDA: the sample, compiled as the strategies are, and the experiment. Included by
# CMakeLists.txt of tool/.
add_library(weft_dx11 OBJECT reproduce/dx11/sample.cu)
weft_target(weft_dx11 PRIVATE src cuda tool)
target_compile_definitions(weft_dx11 PRIVATE WEFT_REAL_BITS=32)
get_target_property(WEFT_CUDA_OPTIONS weft_cuda_f32 COMPILE_OPTIONS)
set_target_properties(weft_dx11 PROPERTIES COMPILE_OPTIONS "${WEFT_CUDA_OPTIONS}")
target_sources(weft_tool_parts PRIVATE $<TARGET_OBJECTS:weft_dx11>)

set(sources claims.c document.c dx11.c experiment.c measure.c measure_own.c measure_sample.c picture.c)
list(TRANSFORM sources PREPEND reproduce/dx11/)
weft_tool_part(weft_tool_reproduce_dx11 SEES check src cuda SOURCES ${sources})
