/* SPDX-License-Identifier: MIT
 * Searches among each other, over codebooks that no small picture has: with many entries, entries
 * that are equal, and extreme values. And what codes are made of: Huffman codes and checksums.
 */
#include <string.h>

#include "codebook.h"
#include "crc.h"
#include "expect.h"
#include "huffman.h"
#include "random.h"
#include "search.h"

extern const search search_seq, search_cpu;

enum { RANGES = 37 };

/* Blocks that sum up to nearly zero, as those of pictures do; `extreme`: of 255 and -255. */
static void fill_blocks(int16_t *values, size_t count, int extreme, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        int16_t *block = values + i * BLOCK_PIXELS;
        int size = extreme ? 255 : 1 + (int)(next_random(&seed) % 120);
        for (int k = 0; k < BLOCK_PIXELS; k += 2) {
            int value = extreme ? 255 : (int)(next_random(&seed) % (unsigned)(2 * size + 1)) - size;
            int sign = next_random(&seed) % 2 ? 1 : -1;
            block[k] = (int16_t)(sign * value);
            block[k + 1] = (int16_t)(-sign * value);
        }
    }
}

typedef struct trial {
    size_t entries;
    int extreme, equal, no_flat; /* equal: so many different entries, again and again; 0: all are */
} trial;

static void find_with(const search *s, const weft_fractal_desc *d, codebook *book,
                      const range_list *ranges, search_answer *answers) {
    search_problem p = {.desc = d, .planes = 1, .blocks = {{.domains = book->count}}};
    search_work work = {0};
    void *state;
    assert_int_equal(s->supports(&p), WEFT_OK);
    assert_int_equal(s->create(&p, &state), WEFT_OK);
    assert_int_equal(s->take_codebook(state, 0, book), WEFT_OK);
    assert_int_equal(s->find(state, 0, ranges, answers, &work), WEFT_OK);
    s->destroy(state);
    assert_true(work.terms > 0);
}

static void check_trial(const trial *t) {
    weft_fractal_desc d = {.no_flat = t->no_flat, .threads = 2};
    int16_t *entries = must_alloc(t->entries * BLOCK_PIXELS * sizeof *entries);
    uint32_t *number = must_alloc(t->entries * sizeof *number);
    int16_t values[RANGES * BLOCK_PIXELS];
    search_answer expected[RANGES], found[RANGES];
    fill_blocks(entries, t->entries, t->extreme, 7);
    fill_blocks(values, RANGES, t->extreme, 8);
    memset(values, 0, BLOCK_PIXELS * sizeof *values);
    for (size_t i = 0; i < t->entries; i++) {
        number[i] = (uint32_t)(3 * i + 1);
        if (t->equal > 0 && i >= (size_t)t->equal) {
            memcpy(entries + i * BLOCK_PIXELS, entries + i % (size_t)t->equal * BLOCK_PIXELS,
                   BLOCK_PIXELS * sizeof *entries);
        }
    }
    codebook book = {.count = t->entries, .number = number, .values = entries};
    const range_list ranges = {.count = RANGES, .values = values};
    find_with(&search_seq, &d, &book, &ranges, expected);
    for (int arith = WEFT_FRACTAL_FIXED; arith <= WEFT_FRACTAL_FLOAT; arith++) {
        d.arith = (weft_fractal_arith)arith;
        find_with(&search_cpu, &d, &book, &ranges, found);
        for (int i = 0; i < RANGES; i++) {
            check(expected[i].domain == found[i].domain && expected[i].z == found[i].z,
                  "%zu entries, arith %d, range %d: (%u, %d), not (%u, %d)", t->entries, arith, i,
                  found[i].domain, found[i].z, expected[i].domain, expected[i].z);
        }
    }
    free(entries);
    free(number);
}

static void cpu_finds_what_seq_finds(void **state) {
    static const trial trials[] = {
        {1, 0, 0, 0},     {1, 1, 0, 1},     {7, 0, 0, 0},     {8, 0, 0, 1},    {31, 0, 3, 0},
        {33, 1, 0, 0},    {100, 1, 5, 1},   {4095, 0, 0, 0},  {4097, 0, 0, 1}, {4500, 1, 0, 0},
        {9000, 0, 70, 0}, {9000, 1, 33, 1}, {20000, 0, 0, 0},
    };
    static const char *const sets[] = {"plain", "v2", "v3", "v4"};
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        weft_fractal_desc d = {0};
        search_problem p = {.desc = &d};
        setenv("WEFT_ISA", sets[i], 1);
        if (search_cpu.supports(&p) != WEFT_OK) {
            continue;
        }
        for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
            check_trial(&trials[k]);
        }
    }
    unsetenv("WEFT_ISA");
}

/* ---- Huffman codes -----------------------------------------------------------------------------
 */

/* What a text of symbols comes to is read back with the table that stands before it. */
static void check_huffman(const uint32_t counts[MOST_SYMBOLS], int longest) {
    uint8_t bytes[600];
    bit_writer w = {.bytes = bytes};
    huffman h, read;
    int most = 0;
    huffman_make(&h, counts);
    huffman_put_table(&h, &w);
    for (int i = 0; i < MOST_SYMBOLS; i++) {
        assert_int_equal(h.length[i] > 0, counts[i] > 0);
        most = most < h.length[i] ? h.length[i] : most;
        if (counts[i] > 0) {
            huffman_put(&h, &w, i);
        }
    }
    assert_int_equal(most, longest);
    bit_reader r = {.bytes = bytes, .size = bits_written(&w)};
    bits_end(&w);
    assert_true(huffman_get_table(&read, &r, MOST_SYMBOLS));
    assert_memory_equal(read.length, h.length, sizeof h.length);
    for (int i = 0; i < MOST_SYMBOLS; i++) {
        if (counts[i] > 0) {
            assert_int_equal(huffman_get(&read, &r), i);
        }
    }
    assert_int_equal(r.bits, r.size);
    assert_int_equal(huffman_get(&read, &r), -1);
}

static void huffman_codes(void **state) {
    uint32_t counts[MOST_SYMBOLS] = {0};
    (void)state;
    check_huffman(counts, 0);
    counts[31] = 5;
    check_huffman(counts, 1);
    counts[0] = 1;
    check_huffman(counts, 1);
    counts[9] = 1;
    check_huffman(counts, 2);
    for (int i = 0; i < MOST_SYMBOLS; i++) {
        counts[i] = 1;
    }
    check_huffman(counts, 5);
    uint32_t before = 1, now = 1; /* Fibonacci's numbers make the longest codes */
    for (int i = 0; i < MOST_SYMBOLS; i++) {
        counts[i] = now;
        now += before;
        before = now - before;
    }
    check_huffman(counts, MOST_LENGTH);
}

/* Lengths that leave codes unused, or that want more than there are, are no table. */
static void tables_of_no_code(void **state) {
    static const uint8_t tables[][4] = {{1, 2},    {2, 1, 2},    {3, 1, 1, 1},
                                        {2, 2, 2}, {3, 2, 2, 0}, {1, 15}};
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        uint8_t bytes[8];
        bit_writer w = {.bytes = bytes};
        huffman h;
        bits_put(&w, tables[i][0], LENGTHS_BITS);
        for (int k = 1; k <= tables[i][0]; k++) {
            bits_put(&w, tables[i][k], LENGTH_BITS);
        }
        bit_reader r = {.bytes = bytes, .size = bits_written(&w)};
        bits_end(&w);
        check(!huffman_get_table(&h, &r, MOST_SYMBOLS), "table %zu", i);
    }
}

static void checksums(void **state) {
    (void)state;
    assert_int_equal(crc_of((const uint8_t *)"123456789", 9), 0xcbf43926);
    assert_int_equal(crc_of(NULL, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpu_finds_what_seq_finds),
        cmocka_unit_test(huffman_codes),
        cmocka_unit_test(tables_of_no_code),
        cmocka_unit_test(checksums),
    };
    return cmocka_run_group_tests_name("fractal searches", tests, NULL, NULL);
}
