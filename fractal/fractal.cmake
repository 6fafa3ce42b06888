# SPDX-License-Identifier: MIT
# The fractal codec: it sees src/ and its own folder, and the transform through weft.h only.
add_library(weft_fractal OBJECT fractal/blocks.c fractal/changes.c fractal/codebook.c fractal/cpu.c
            fractal/crc.c fractal/decoder.c fractal/description.c fractal/encoder.c fractal/fft.c
            fractal/huffman.c fractal/payload.c fractal/payload_read.c fractal/payload_write.c
            fractal/plane.c fractal/preparation.c fractal/reconstruct.c fractal/search_table.c fractal/seq.c fractal/stream.c)
weft_target(weft_fractal PRIVATE src fractal)
target_compile_definitions(weft_fractal PRIVATE WEFT_WITH_CUDA=$<BOOL:${WEFT_CUDA}>)
# The search that others are measured against has no vectors.
set_source_files_properties(fractal/seq.c PROPERTIES COMPILE_OPTIONS
    "$<IF:$<C_COMPILER_ID:GNU>,-fno-tree-vectorize,-fno-vectorize;-fno-slp-vectorize>")
list(APPEND WEFT_PARTS weft_fractal)

# The kernels of the search cpu, for the instruction sets that cpu.fast has (cpu_ref/fast/kernels.cmake).
set(plain_int16_lanes 8)
set(v2_int16_lanes 8)
set(v3_int16_lanes 16)
set(v4_int16_lanes 32)
set(plain_float_lanes 4)
set(v2_float_lanes 4)
set(v3_float_lanes 8)
set(v4_float_lanes 16)
foreach(set IN LISTS WEFT_FAST_SETS)
    foreach(number int16 float)
        set(part weft_fractal_${number}_${set})
        if(number STREQUAL int16)
            add_library(${part} OBJECT fractal/cpu_kernels.c)
        else()
            add_library(${part} OBJECT fractal/cpu_float_kernels.c)
        endif()
        weft_target(${part} PRIVATE src fractal)
        target_compile_definitions(${part} PRIVATE WEFT_KERNELS_OF=${set} WEFT_LANES=${${set}_${number}_lanes})
        target_compile_options(${part} PRIVATE ${${set}})
        list(APPEND WEFT_PARTS ${part})
    endforeach()
endforeach()
foreach(set plain v2 v3 v4)
    string(TOUPPER WEFT_HAS_${set} has)
    target_compile_definitions(weft_fractal PRIVATE "${has}=$<IN_LIST:${set},${WEFT_FAST_SETS}>")
endforeach()
