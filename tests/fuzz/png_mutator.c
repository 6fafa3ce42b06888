/* SPDX-License-Identifier: MIT
 * libFuzzer's mutations of PNG files, made so that more than the checksums is tried: of three
 * mutated files two get the checksums that their chunks should have.
 */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"

enum { SIGNATURE_SIZE = 8, WORD_SIZE = 4 };

/* libFuzzer's names for what it mutates with, and for who mutates instead of it. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t most, unsigned seed);

static size_t word_at(const uint8_t *bytes) {
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

static void put_word(uint8_t *bytes, size_t word) {
    for (int i = 0; i < WORD_SIZE; i++) {
        bytes[i] = (uint8_t)(word >> (24 - 8 * i));
    }
}

/* A chunk is its length, its name, its contents, and the checksum of name and contents. */
static void mend_checksums(uint8_t *bytes, size_t count) {
    for (size_t at = SIGNATURE_SIZE; at < count && count - at >= 3 * WORD_SIZE;) {
        size_t length = word_at(bytes + at);
        if (length > count - at - 3 * WORD_SIZE) {
            return;
        }
        uint8_t *checksum = bytes + at + 2 * WORD_SIZE + length;
        put_word(checksum, crc32_z(0, bytes + at + WORD_SIZE, WORD_SIZE + length));
        at += 3 * WORD_SIZE + length;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t most, unsigned seed) {
    count = LLVMFuzzerMutate(bytes, count, most);
    if (seed % 3 != 0) {
        mend_checksums(bytes, count);
    }
    return count;
}
