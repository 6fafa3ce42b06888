# SPDX-License-Identifier: MIT
# weft reproduce ladder: the rungs and the experiment. Included by CMakeLists.txt of tool/. Of the CPU: contraction, which
# the library forbids for equal bits, is on, as in the one compiler call that builds a rung alone; instructions are those of
# nearly every CPU of x86-64, where the build has kernels of cpu.fast for them.
set(options -ffp-contract=fast $<$<C_COMPILER_ID:GNU>:-Wno-psabi>)
set(isa ISA_PLAIN)
if("v3" IN_LIST WEFT_FAST_SETS)
    list(APPEND options ${v3})
    set(isa ISA_V3)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/rungs.cmake)
weft_ladder_rungs(cpu weft_ladder_cpu rungs)
foreach(rung IN LISTS rungs)
    weft_target(${rung})
    target_compile_options(${rung} PRIVATE ${options})
    target_link_libraries(${rung} PRIVATE OpenMP::OpenMP_C)
    target_sources(weft_tool_parts PRIVATE $<TARGET_OBJECTS:${rung}>)
endforeach()

# As nvcc compiles them alone.
if(WEFT_CUDA)
    weft_ladder_rungs(gpu weft_ladder_gpu rungs)
    foreach(rung IN LISTS rungs)
        target_compile_options(${rung} PRIVATE -Xcompiler=-Wall,-Wextra $<$<BOOL:${WEFT_WERROR}>:-Werror=all-warnings>)
        target_sources(weft_tool_parts PRIVATE $<TARGET_OBJECTS:${rung}>)
    endforeach()
endif()

set(sources claims.c document.c experiment.c ladder.c measure.c rungs.c)
list(TRANSFORM sources PREPEND reproduce/ladder/)
weft_tool_part(weft_tool_reproduce_ladder SEES check src cuda SOURCES ${sources})
target_compile_definitions(weft_tool_reproduce_ladder PRIVATE LADDER_ISA=${isa})
