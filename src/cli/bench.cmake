# What `weft bench` and `weft verify` add to the tool: WEFT_BENCH_SOURCES, WEFT_BENCH_LIBRARIES,
# WEFT_BENCH_DEFINITIONS and WEFT_BENCH_INCLUDES. Included by CMakeLists.txt of this folder.
set(WEFT_BENCH_SOURCES
    bench.c bench_call.c bench_contender.c bench_input.c bench_json.c bench_measure.c bench_table.c
    candidates.c cells.c machine.c memory.c operation.c samples.c timer_file.c timer_host.c verify.c verify_case.c
    verify_reference.c verify_run.c peers/copy.c peers/peers.c)
set(WEFT_BENCH_INCLUDES ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/peers
                        ${PROJECT_SOURCE_DIR}/src)
set(WEFT_BENCH_DEFINITIONS
    WEFT_WITH_CUDA=$<BOOL:${WEFT_CUDA}>
    WEFT_PEER_FFTW=$<BOOL:${WEFT_PEER_FFTW}>
    WEFT_PEER_CUFFT=$<AND:$<BOOL:${WEFT_CUDA}>,$<BOOL:${WEFT_PEER_CUFFT}>>)
set(WEFT_BENCH_LIBRARIES weft_oracle OpenMP::OpenMP_C)

# The commit, looked up by every build.
set(WEFT_COMMIT_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/commit)
add_custom_target(weft_commit_header
    COMMAND ${CMAKE_COMMAND}
            -Dheader=${WEFT_COMMIT_FOLDER}/commit.h -Dsource=${PROJECT_SOURCE_DIR}
            -P ${CMAKE_CURRENT_LIST_DIR}/commit.cmake
    BYPRODUCTS ${WEFT_COMMIT_FOLDER}/commit.h
    COMMENT "")
add_library(weft_commit INTERFACE)
add_dependencies(weft_commit weft_commit_header)
target_include_directories(weft_commit INTERFACE ${WEFT_COMMIT_FOLDER})
list(APPEND WEFT_BENCH_LIBRARIES weft_commit)

if(WEFT_CUDA)
    list(APPEND WEFT_BENCH_SOURCES gpu_timer.c timer_cuda.c timer_transfer.c peers/copy_device.c)
    list(APPEND WEFT_BENCH_INCLUDES ${PROJECT_SOURCE_DIR}/cuda)
    list(APPEND WEFT_BENCH_LIBRARIES CUDA::cudart_static)
    include(dx11/dx11.cmake)
    if(WEFT_PEER_CUFFT)
        add_library(weft_peer_cufft OBJECT peers/cufft_multiply.cu)
        weft_room(weft_peer_cufft PRIVATE src cuda src/cli/peers)
        list(APPEND WEFT_BENCH_SOURCES peers/cufft.c $<TARGET_OBJECTS:weft_peer_cufft>)
        list(APPEND WEFT_BENCH_LIBRARIES CUDA::cufft)
    endif()
endif()

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
        add_library(weft_peer_fftw_f${bits} OBJECT peers/fftw.c)
        weft_room(weft_peer_fftw_f${bits} PRIVATE src src/cli/peers)
        target_include_directories(weft_peer_fftw_f${bits} SYSTEM PRIVATE ${WEFT_FFTW_INCLUDE})
        target_compile_definitions(weft_peer_fftw_f${bits} PRIVATE WEFT_REAL_BITS=${bits})
        target_link_libraries(weft_peer_fftw_f${bits} PRIVATE OpenMP::OpenMP_C)
        list(APPEND WEFT_BENCH_SOURCES $<TARGET_OBJECTS:weft_peer_fftw_f${bits}>)
        list(APPEND WEFT_BENCH_LIBRARIES ${WEFT_FFTW_OMP_${bits}} ${WEFT_FFTW_${bits}})
    endforeach()
endif()
