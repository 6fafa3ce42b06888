/* SPDX-License-Identifier: MIT
 * CRC-32, four bytes a turn. The tables are made from one of half bytes, which is short enough to
 * be written out, each time: it takes as long as some hundred bytes.
 */
#include "crc.h"

enum { TURN = 4, BYTES = 256 };

/* of[k][b]: what byte b, k bytes before the last one of a turn, does to the rest. */
static void make_tables(uint32_t of[TURN][BYTES]) {
    static const uint32_t of_half[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                         0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                         0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                         0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    for (uint32_t b = 0; b < BYTES; b++) {
        uint32_t crc = b >> 4 ^ of_half[b & 15];
        of[0][b] = crc >> 4 ^ of_half[crc & 15];
    }
    for (int k = 1; k < TURN; k++) {
        for (int b = 0; b < BYTES; b++) {
            of[k][b] = of[k - 1][b] >> 8 ^ of[0][of[k - 1][b] & 255];
        }
    }
}

uint32_t crc_of(const uint8_t *bytes, size_t count) {
    uint32_t of[TURN][BYTES], crc = 0xffffffff;
    size_t i = 0;
    make_tables(of);
    for (; i + TURN <= count; i += TURN) {
        crc = of[3][(crc ^ bytes[i]) & 255] ^ of[2][(crc >> 8 ^ bytes[i + 1]) & 255] ^
              of[1][(crc >> 16 ^ bytes[i + 2]) & 255] ^ of[0][(crc >> 24 ^ bytes[i + 3]) & 255];
    }
    for (; i < count; i++) {
        crc = crc >> 8 ^ of[0][(crc ^ bytes[i]) & 255];
    }
    return ~crc;
}
