# SPDX-License-Identifier: MIT
# weft bench and weft verify, and the peers that bench measures. Included by CMakeLists.txt of tool/.
set(sources
    commands/bench.c commands/verify.c bench/call.c bench/candidates.c bench/contender.c bench/document.c bench/input.c
    bench/measure.c bench/memory.c bench/samples.c bench/sweep.c bench/table.c bench/timer_file.c
    bench/timer_host.c bench/peers/copy.c bench/peers/peers.c)
if(WEFT_CUDA)
    list(APPEND sources bench/gpu_timer.c bench/timer_cuda.c bench/timer_transfer.c bench/peers/copy_device.c)
    # Compiled as the strategies are.
    add_library(weft_issue_rate OBJECT bench/issue_rate.cu)
    weft_target(weft_issue_rate PRIVATE src cuda tool)
    get_target_property(WEFT_CUDA_OPTIONS weft_cuda_f32 COMPILE_OPTIONS)
    set_target_properties(weft_issue_rate PROPERTIES COMPILE_OPTIONS "${WEFT_CUDA_OPTIONS}")
    target_sources(weft_tool_parts PRIVATE $<TARGET_OBJECTS:weft_issue_rate>)
    if(WEFT_PEER_CUFFT)
        list(APPEND sources bench/peers/cufft.c)
        add_library(weft_peer_cufft OBJECT bench/peers/cufft_multiply.cu)
        weft_target(weft_peer_cufft PRIVATE src cuda tool)
        target_sources(weft_tool_parts PRIVATE $<TARGET_OBJECTS:weft_peer_cufft>)
        target_link_libraries(weft_tool_parts PRIVATE CUDA::cufft)
    endif()
endif()
weft_tool_part(weft_tool_bench SEES check src cuda SOURCES ${sources})

# FFTW, once per precision; each has its own library for threads.
if(WEFT_PEER_FFTW)
    find_path(WEFT_FFTW_INCLUDE fftw3.h REQUIRED)
    foreach(bits 32 64)
        set(name fftw3)
        if(bits EQUAL 32)
            set(name fftw3f)
        endif()
        find_library(WEFT_FFTW_${bits} ${name} REQUIRED)
        find_library(WEFT_FFTW_OMP_${bits} ${name}_omp REQUIRED)
        weft_tool_part(weft_peer_fftw_f${bits} SEES src SOURCES bench/peers/fftw.c)
        target_include_directories(weft_peer_fftw_f${bits} SYSTEM PRIVATE ${WEFT_FFTW_INCLUDE})
        target_compile_definitions(weft_peer_fftw_f${bits} PRIVATE WEFT_REAL_BITS=${bits})
        target_link_libraries(weft_tool_parts PRIVATE ${WEFT_FFTW_OMP_${bits}} ${WEFT_FFTW_${bits}})
    endforeach()
endif()
