# What `weft reproduce dx11` adds to the tool, where there is CUDA: the sample, compiled as the strategies
# are, and the experiment. Included by bench.cmake.
add_library(weft_dx11 OBJECT dx11/sample.cu)
weft_room(weft_dx11 PRIVATE src cuda src/cli/dx11)
target_compile_definitions(weft_dx11 PRIVATE WEFT_REAL_BITS=32)
get_target_property(WEFT_CUDA_OPTIONS weft_cuda_f32 COMPILE_OPTIONS)
set_target_properties(weft_dx11 PROPERTIES COMPILE_OPTIONS "${WEFT_CUDA_OPTIONS}")

list(APPEND WEFT_BENCH_SOURCES
    dx11/claims.c dx11/document.c dx11/dx11.c dx11/experiment.c dx11/measure.c dx11/measure_own.c
    dx11/measure_sample.c dx11/picture.c dx11/table.c $<TARGET_OBJECTS:weft_dx11>)
list(APPEND WEFT_BENCH_INCLUDES ${CMAKE_CURRENT_LIST_DIR})
