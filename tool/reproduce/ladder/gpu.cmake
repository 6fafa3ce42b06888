# SPDX-License-Identifier: MIT
# The rungs of weft reproduce ladder that run on a GPU, where there is CUDA, compiled as nvcc compiles them alone. Included
# by CMakeLists.txt of tool/.
include(${CMAKE_CURRENT_LIST_DIR}/gpu_rungs.cmake)
weft_gpu_rungs(weft_ladder_gpu rungs)
foreach(rung IN LISTS rungs)
    target_compile_options(${rung} PRIVATE -Xcompiler=-Wall,-Wextra $<$<BOOL:${WEFT_WERROR}>:-Werror=all-warnings>)
    target_sources(weft_tool_parts PRIVATE $<TARGET_OBJECTS:${rung}>)
endforeach()
