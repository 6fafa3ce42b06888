/* SPDX-License-Identifier: MIT
 * Tests of the emulator itself on toy kernels: right ones must pass in every build, and each way of
 * being wrong must be reported by the build that can see it (plain: divergence; asan: bounds; tsan:
 * races). `test_cuemu` runs all; `test_cuemu NAME` runs the broken kernel of that name, and is
 * called so by itself.
 */
#include "base/instructions.cuh"
#include "cooperative_groups.h"
#include "verdict.h"

namespace cg = cooperative_groups;

// ---- Toy kernels; `right` is false in the variant that lacks what the comment names ------------

/* Sum over each block of values[]. Lacks: the barrier between the warps. */
template <bool right> __global__ void reduce(const float *values, float *sums) {
    WEFT_SHARED(float, of_warp);
    float sum = __ldg(&values[blockIdx.x * blockDim.x + threadIdx.x]);
    for (int bits = 16; bits > 0; bits /= 2) {
        sum += __shfl_xor_sync(~0u, sum, bits);
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = sum;
    }
    if (right) {
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        for (unsigned w = 1; w < blockDim.x / 32; w++) {
            sum += of_warp[w];
        }
        sums[blockIdx.x] = sum;
    }
}

/* out = transpose of 2 in, n x n, by way of work. Lacks: the barrier of the grid. */
template <bool right>
__global__ void transpose(const float *in, float *work, float *out, size_t n) {
    cg::grid_group grid = cg::this_grid();
    for (size_t i = grid.thread_rank(); i < n * n; i += grid.size()) {
        work[i] = 2 * in[i];
    }
    if (right) {
        grid.sync();
    }
    for (size_t i = grid.thread_rank(); i < n * n; i += grid.size()) {
        out[i] = work[i % n * n + i / n];
    }
}

/* The same with independent work between arrival and wait. Lacks: patience. */
template <bool right>
__global__ void transpose_split(const float *in, float *work, float *out, size_t n) {
    cg::grid_group grid = cg::this_grid();
    for (size_t i = grid.thread_rank(); i < n * n; i += grid.size()) {
        work[i] = 2 * in[i];
    }
    auto token = grid.barrier_arrive();
    if (right) {
        grid.barrier_wait(std::move(token));
    }
    for (size_t i = grid.thread_rank(); i < n * n; i += grid.size()) {
        out[i] = work[i % n * n + i / n];
    }
    if (!right) {
        grid.barrier_wait(std::move(token));
    }
}

/* Lanes reverse their values in shared memory. Lacks: the warp's barrier; the shuffle is none. */
template <bool right> __global__ void reverse(float *values) {
    WEFT_SHARED(float, line);
    line[threadIdx.x] = values[threadIdx.x];
    if (right) {
        __syncwarp();
    } else {
        __shfl_sync(~0u, 0.f, 0);
    }
    values[threadIdx.x] = line[31 - threadIdx.x];
}

/* Each block of a cluster adds up what all its blocks have. Lacks: the barrier before it leaves. */
template <bool right> __global__ void sum_cluster(float *sums) {
    WEFT_SHARED(float, mine);
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = (float)(blockIdx.x * blockDim.x + threadIdx.x);
    cluster.sync();
    float sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); rank++) {
        sum += cluster.map_shared_rank(mine, rank)[threadIdx.x];
    }
    if (right) {
        cluster.sync();
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Each block writes into the next one's shared memory. Lacks: the barrier that shows that it is
 * there. */
template <bool right> __global__ void pass_on(float *values) {
    WEFT_SHARED(float, mine);
    cg::cluster_group cluster = cg::this_cluster();
    if (right) {
        cluster.sync();
    }
    cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % 2)[threadIdx.x] = (float)blockIdx.x;
    cluster.sync();
    values[blockIdx.x * blockDim.x + threadIdx.x] = mine[threadIdx.x];
}

/* The second of two overlapping launches. Lacks: the wait for the first. */
template <bool right> __global__ void add_after(const float *first, float *second) {
    if (right) {
        cudaGridDependencySynchronize();
    }
    second[threadIdx.x] = first[31 - threadIdx.x] + 1;
}

__global__ void write_ranks(float *values) {
    cudaTriggerProgrammaticLaunchCompletion();
    values[threadIdx.x] = (float)threadIdx.x;
}

/* Two blocks of a thread wait until so many have come, and each reads what the other wrote. Two is
 * right; with fewer they read too early, with more they wait in vain. */
__global__ void meet(unsigned count, unsigned *counter, float *wrote, float *reads) {
    wrote[blockIdx.x] = (float)blockIdx.x;
    count_up(counter);
    wait_for_count(counter, count);
    reads[blockIdx.x] = wrote[1 - blockIdx.x];
}

/* Reads another warp's pair as an argument. Lacks a barrier. */
__attribute__((noinline)) double sum_of(float2 pair) {
    return pair.x + pair.y;
}

__global__ void exchange_pairs(double *out) {
    WEFT_SHARED(float2, pairs);
    pairs[threadIdx.x] = make_float2((float)threadIdx.x, 1);
    out[threadIdx.x] = sum_of(pairs[63 - threadIdx.x]);
}

/* Thread 0 of every block writes the same word. */
__global__ void collide(float *word) {
    if (threadIdx.x == 0) {
        *word = (float)blockIdx.x;
    }
}

/* Writes element `at` of shared memory. */
__global__ void store_shared(int at) {
    WEFT_SHARED(float, line);
    line[at] = 1;
}

__global__ void load_misaligned(const float *values, float4 *out) {
    out->x = ((const float4 *)(values + 1))->x;
}

__global__ void return_early(unsigned who) {
    if (threadIdx.x == who) {
        return;
    }
    __syncthreads();
}

__global__ void part_at_barriers() {
    if (threadIdx.x % 2) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}

__global__ void miss_grid_sync() {
    if (blockIdx.x != 1) {
        cg::this_grid().sync();
    }
}

__global__ void shuffle_beyond(float *out) {
    out[threadIdx.x] = __shfl_xor_sync(~0u, 1.f, 16);
}

// ---- Broken kernels: name, the build that sees it, what it says --------------------------------

constexpr size_t side = 8;

bool do_meet(unsigned count) {
    unsigned counter = 0;
    float wrote[2], reads[2];
    cuemu::launch(2, 1, 0, false, 1, [&] { meet(count, &counter, wrote, reads); });
    return reads[0] == 1 && reads[1] == 0;
}

struct broken_case {
    const char *name;
    enum { always, asan, tsan } build;
    const char *words;
    void (*run)();
};

const char *const race = "ThreadSanitizer: data race";
const char *const divergent = "cuemu: divergent barrier";

const broken_case broken_cases[] = {
    {"reduce_without_syncthreads", broken_case::tsan, race,
     [] {
         std::vector<float> values(128, 1), sums(2);
         cuemu::launch(2, 64, 2 * sizeof(float), false, 1,
                       [&] { reduce<false>(values.data(), sums.data()); });
     }},
    {"reduce_with_muted_syncthreads", broken_case::tsan, race,
     [] {
         std::vector<float> values(128, 1), sums(2);
         auto run = [&] { reduce<true>(values.data(), sums.data()); };
         cuemu::launch(2, 64, 2 * sizeof(float), false, 1, run);
         cuemu::world.muted = cuemu::world.sites.rbegin()->first;
         for (const auto &met : cuemu::world.sites)
             if (met.second == 2)
                 cuemu::world.muted = met.first;
         cuemu::launch(2, 64, 2 * sizeof(float), false, 1, run);
     }},
    {"transpose_without_grid_sync", broken_case::tsan, race,
     [] {
         std::vector<float> in(side * side), work(in), out(in);
         cuemu::launch(2, 16, 0, true, 1,
                       [&] { transpose<false>(in.data(), work.data(), out.data(), side); });
     }},
    {"transpose_impatient", broken_case::tsan, race,
     [] {
         std::vector<float> in(side * side), work(in), out(in);
         cuemu::launch(2, 16, 0, true, 1,
                       [&] { transpose_split<false>(in.data(), work.data(), out.data(), side); });
     }},
    {"shuffle_is_no_barrier", broken_case::tsan, race,
     [] {
         std::vector<float> values(32);
         cuemu::launch(1, 32, 32 * sizeof(float), false, 1, [&] { reverse<false>(values.data()); });
     }},
    {"cluster_leaves_early", broken_case::tsan, race,
     [] {
         std::vector<float> sums(64);
         cuemu::launch(
             4, 16, 16 * sizeof(float), false, 1, [&] { sum_cluster<false>(sums.data()); }, 2);
     }},
    {"cluster_writes_early", broken_case::tsan, race,
     [] {
         std::vector<float> values(64);
         cuemu::launch(
             4, 16, 16 * sizeof(float), false, 1, [&] { pass_on<false>(values.data()); }, 2);
     }},
    {"dependent_launch_does_not_wait", broken_case::tsan, race,
     [] {
         std::vector<float> first(32), second(32);
         cuemu::programmatic_launches overlapping;
         cuemu::launch(1, 32, 0, false, 1, [&] { write_ranks(first.data()); });
         cuemu::launch(1, 32, 0, false, 1, [&] { add_after<false>(first.data(), second.data()); });
     }},
    {"blocks_meet_too_early", broken_case::tsan, race, [] { do_meet(1); }},
    {"blocks_meet_in_vain", broken_case::always, "waits in vain", [] { do_meet(3); }},
    {"blocks_collide", broken_case::tsan, race,
     [] {
         float word;
         cuemu::launch(2, 32, 0, false, 1, [&] { collide(&word); });
     }},
    {"blocks_collide_among_many_threads", broken_case::tsan, race,
     [] {
         float word;
         cuemu::launch(3, 300, 0, false, 1, [&] { collide(&word); });
     }},
    {"struct_passed_by_value", broken_case::tsan, race, /* gcc 12 does not see this one */
     [] {
         std::vector<double> out(64);
         cuemu::launch(1, 64, 64 * sizeof(float2), false, 1, [&] { exchange_pairs(out.data()); });
     }},
    {"store_beyond_shared_memory", broken_case::asan, "heap-buffer-overflow",
     [] { cuemu::launch(1, 1, 10 * sizeof(float), false, 1, [] { store_shared(10); }); }},
    {"store_before_shared_memory", broken_case::asan, "heap-buffer-overflow",
     [] { cuemu::launch(1, 1, 10 * sizeof(float), false, 1, [] { store_shared(-1); }); }},
    {"load_misaligned_vector", broken_case::asan, "misaligned address",
     [] {
         alignas(16) float values[8] = {};
         float4 out;
         cuemu::launch(1, 1, 0, false, 1, [&] { load_misaligned(values, &out); });
     }},
    {"return_before_barrier", broken_case::always, divergent,
     [] { cuemu::launch(2, 40, 0, false, 1, [] { return_early(7); }); }},
    {"barriers_on_two_lines", broken_case::always, divergent,
     [] { cuemu::launch(1, 4, 0, false, 1, [] { part_at_barriers(); }); }},
    {"block_misses_grid_sync", broken_case::always, divergent,
     [] { cuemu::launch(3, 4, 0, true, 1, [] { miss_grid_sync(); }); }},
    {"grid_sync_without_cooperative", broken_case::always, "not cooperative",
     [] { cuemu::launch(3, 4, 0, false, 1, [] { miss_grid_sync(); }); }},
    {"shuffle_from_absent_lane", broken_case::always, "takes no part",
     [] {
         std::vector<float> out(16);
         cuemu::launch(1, 16, 0, false, 1, [&] { shuffle_beyond(out.data()); });
     }},
};

void test_broken() {
    for (const broken_case &broken : broken_cases) {
#ifndef CUEMU_TSAN
        if (broken.build == broken_case::tsan)
            continue;
#endif
#ifndef CUEMU_ASAN
        if (broken.build == broken_case::asan)
            continue;
#endif
        verdict::expect_report(broken.name, broken.name, broken.words);
    }
}

// ---- Right kernels ------------------------------------------------------------------------------

const char *unless(bool right, const char *why) {
    return right ? "" : why;
}

void test_reduce() {
    std::vector<float> values(3 * 64), sums(3);
    for (size_t i = 0; i < values.size(); i++)
        values[i] = (float)i;
    for (unsigned seed = 1; seed <= 3; seed++)
        cuemu::launch(3, 64, 2 * sizeof(float), false, seed,
                      [&] { reduce<true>(values.data(), sums.data()); });
    verdict::give("reduce", unless(sums[0] == 2016 && sums[1] == 6112 && sums[2] == 10208, "sums"));
}

void test_transpose() {
    std::vector<float> in(side * side), work(in), out(in);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (float)i;
    auto right = [&] {
        bool all = true;
        for (size_t i = 0; i < out.size(); i++)
            all &= out[i] == 2 * in[i % side * side + i / side];
        return all;
    };
    cuemu::launch(2, 16, 0, true, 1,
                  [&] { transpose<true>(in.data(), work.data(), out.data(), side); });
    verdict::give("transpose", unless(right(), "values"));
    std::fill(out.begin(), out.end(), 0.f);
    cuemu::launch(3, 8, 0, true, 1,
                  [&] { transpose_split<true>(in.data(), work.data(), out.data(), side); });
    verdict::give("transpose with a split barrier", unless(right(), "values"));
}

void test_warps() {
    std::vector<float> values(32);
    for (size_t i = 0; i < values.size(); i++)
        values[i] = (float)i;
    cuemu::launch(1, 32, 32 * sizeof(float), false, 1, [&] { reverse<true>(values.data()); });
    bool reversed = true;
    for (size_t i = 0; i < values.size(); i++)
        reversed &= values[i] == (float)(31 - i);
    verdict::give("syncwarp", unless(reversed, "values"));

    /* 48 threads: the last warp is half a warp; 8 bytes; segments of 8; halves of a warp on their
     * own. */
    std::vector<double> down(48), one(48), half(48);
    cuemu::launch(1, 48, 0, false, 1, [&] {
        const unsigned t = threadIdx.x;
        down[t] = __shfl_down_sync(~0u, (double)t, 3, 8);
        one[t] = __shfl_sync(~0u, (double)t, 2, 8);
        const unsigned mask = t % 32 < 16 ? 0xffffu : 0xffff0000u;
        for (unsigned i = 0; i < t / 16; i++)
            half[t] = __shfl_xor_sync(mask, (double)t, 1);
    });
    std::string why;
    for (unsigned t = 0; t < 48; t++) {
        if (down[t] != (t % 8 + 3 < 8 ? t + 3 : t) || one[t] != t / 8 * 8 + 2 ||
            half[t] != (t < 16 ? 0 : t ^ 1))
            why = "values of thread " + std::to_string(t);
    }
    verdict::give("shuffles", why);
}

void test_cluster() {
    std::vector<float> sums(64);
    cuemu::launch(
        4, 16, 16 * sizeof(float), false, 1, [&] { sum_cluster<true>(sums.data()); }, 2);
    bool right = true;
    for (unsigned i = 0; i < 64; i++)
        right &= sums[i] == (float)(2 * (i / 32 * 32 + i % 16) + 16);
    cuemu::launch(
        4, 16, 16 * sizeof(float), false, 1, [&] { pass_on<true>(sums.data()); }, 2);
    for (unsigned i = 0; i < 64; i++)
        right &= sums[i] == (float)(i / 16 ^ 1);
    verdict::give("cluster", unless(right, "sums"));
}

void test_counts() {
    verdict::give("count of blocks", unless(do_meet(2), "values"));
}

void test_programmatic() {
    std::vector<float> first(32), second(32);
    {
        cuemu::programmatic_launches overlapping;
        cuemu::launch(1, 32, 0, false, 1, [&] { write_ranks(first.data()); });
        cuemu::launch(1, 32, 0, false, 1, [&] { add_after<true>(first.data(), second.data()); });
    }
    verdict::give("dependent launch", unless(second[0] == 32 && second[31] == 1, "values"));
}

void test_order() {
    const size_t usual = cuemu::world.most_live_threads;
    cuemu::world.most_live_threads = 1;
    auto order_of = [](unsigned seed) {
        std::vector<unsigned> order;
        cuemu::launch(8, 32, 0, false, seed, [&] {
            cuemu::unseen hidden;
            if (threadIdx.x == 0)
                order.push_back(blockIdx.x);
        });
        return order;
    };
    const auto first = order_of(1), again = order_of(1), second = order_of(2);
    cuemu::world.most_live_threads = usual;
    std::vector<unsigned> sorted(first);
    std::sort(sorted.begin(), sorted.end());
    verdict::give("order of blocks", first != again    ? "one seed, two orders"
                                     : first == second ? "two seeds, one order"
                                     : std::is_sorted(first.begin(), first.end()) ? "not shuffled"
                                     : sorted.size() != 8 || sorted[0] || sorted[7] != 7
                                         ? "not all blocks"
                                         : "");
}

void test_indices() {
    const dim3 grid(2, 3, 2), block(3, 2, 4);
    std::vector<int> seen(grid.count() * block.count());
    cuemu::launch(grid, block, 0, false, 1, [&] {
        const unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        seen[b * 24 + t]++;
    });
    verdict::give("indices", unless(seen == std::vector<int>(seen.size(), 1), "not one to one"));
}

void test_shared_poison() {
    float found = 0;
    cuemu::launch(1, 1, sizeof(float), false, 1, [&] {
        WEFT_SHARED(float, word);
        found = *word;
    });
    verdict::give("shared memory is NaN", unless(isnan(found), "it is not"));
}

void test_sincospi() {
    std::string why;
    for (int eighths = -40; eighths <= 40; eighths++) {
        const double x = eighths / 8.0, root = sqrt(0.5);
        const double table[8] = {0, sin(acos(-1.0) / 8), root, cos(acos(-1.0) / 8), 1, 0, 0, 0};
        auto sine = [&](int n) { /* of n pi / 8 */
                                 n &= 15;
                                 const int m = n & 7;
                                 return (n & 8 ? -1 : 1) * table[m <= 4 ? m : 8 - m];
        };
        double s, c;
        float sf, cf;
        sincospi(x, &s, &c);
        sincospif((float)x, &sf, &cf);
        if (fabs(s - sine(eighths)) > 2e-16 || fabs(c - sine(eighths + 4)) > 2e-16 ||
            sf != (float)sine(eighths) || cf != (float)sine(eighths + 4))
            why = "at " + std::to_string(x);
    }
    double s, c;
    sincospi(9007199254740991.0, &s, &c);
    if (s != 0 || c != -1)
        why = "at 2^53 - 1";
    sincospi(INFINITY, &s, &c);
    if (!isnan(s) || !isnan(c))
        why = "at infinity";
    verdict::give("sincospi", why);
}

int main(int count, char **arguments) {
    for (const broken_case &broken : broken_cases) {
        if (count > 1 && !strcmp(arguments[1], broken.name)) {
            broken.run();
            return 0;
        }
    }
    test_indices();
    test_reduce();
    test_transpose();
    test_warps();
    test_cluster();
    test_counts();
    test_programmatic();
    test_order();
    test_shared_poison();
    test_sincospi();
    test_broken();
    return verdict::end();
}
