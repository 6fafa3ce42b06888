/* SPDX-License-Identifier: MIT
 * The engine of cuemu: runs a function once per thread of a grid, each in a fiber of its own,
 * between barriers of warp, block, cluster and grid. Of the threads that can continue, a random
 * number drawn from a seed chooses one. What the engine does is hidden from ThreadSanitizer, which
 * is told of exactly the orderings that CUDA promises: a barrier orders its threads; a shuffle
 * orders nothing, and blocks of one launch are not ordered, unless one waits for what the other
 * counts. So a missing barrier is a reported race even where the numbers come out right.
 */
#ifndef WEFT_TESTS_CUEMU_ENGINE_H
#define WEFT_TESTS_CUEMU_ENGINE_H

#include "fiber.h"

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

struct uint3 {
    unsigned x, y, z;
};

struct dim3 : uint3 {
    constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1)
        : uint3{width, height, depth} {}
    size_t count() const {
        return (size_t)x * y * z;
    }
    /* The place of `index` in a block of this size, x running fastest, and the index of a place. */
    size_t rank(const uint3 &index) const {
        return index.x + x * (index.y + (size_t)y * index.z);
    }
    uint3 index(size_t rank) const {
        return {(unsigned)(rank % x), (unsigned)(rank / x % y), (unsigned)(rank / x / y)};
    }
};

/* What a thread knows of itself. */
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

namespace cuemu {

// ---- What ThreadSanitizer is told -------------------------------------------------------------

#ifdef CUEMU_TSAN
extern "C" {
void __tsan_acquire(void *order);
void __tsan_release(void *order);
}
#else
inline void __tsan_acquire(void *) {}
inline void __tsan_release(void *) {}
#endif

/* What follows an acquire() comes after all that precedes a release(). Nothing is ever stored here.
 */
struct order {
    uint64_t address;
    void release() {
        __tsan_release(&address);
    }
    void acquire() {
        __tsan_acquire(&address);
    }
};

// ---- The world: one launch at a time -----------------------------------------------------------

constexpr unsigned warp_size = 32;
constexpr int exit_code = 86; /* of a kernel that breaks a rule */

/* A line of a kernel where threads synchronise. */
struct site {
    const char *file;
    int line;
    bool operator==(const site &other) const {
        return line == other.line && !strcmp(file, other.file);
    }
    bool operator<(const site &other) const {
        return line != other.line ? line < other.line : strcmp(file, other.file) < 0;
    }
};
/* The last parameters of every function that synchronises. (In a default `site` gcc 12 gets the
 * line wrong.) */
#define CUEMU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

struct arrival {
    unsigned phase;
    bool ordering;
};

struct barrier {
    unsigned expected = 0, arrived = 0, phase = 0;
    site where = {}; /* of the first to arrive */
    order orders[2]; /* by phase: a thread that waits long must not see the next phase */
    uint64_t lanes[2][warp_size]; /* what a warp's shuffle exchanges, by phase */
    std::vector<struct thread *> waiting;

    arrival arrive(site here, bool ordering = true);
    void wait(arrival mine);
    void sync(site here) {
        wait(arrive(here));
    }
};

struct cluster {
    barrier all;
    std::vector<struct block *> blocks;
};

/* A bulk copy that has been sent, and an mbarrier at which copies from global memory arrive: see
 * base/instructions.cuh. */
struct sent_copy {
    void *to;
    const void *from;
    size_t bytes;
    std::vector<char> sent_bytes; /* what it was to copy when it was sent to global memory */
};

struct mbarrier_state {
    unsigned phases = 0; /* that are complete */
    bool is_expecting = false;
    size_t expected = 0, sent = 0; /* bytes */
    std::vector<sent_copy> copies;
    std::vector<struct thread *> waiting;
    order seen;
};

struct block {
    uint3 index;
    cluster *home;
    unsigned rank_in_cluster;
    void *shared;
    barrier all;
    std::unique_ptr<barrier[]> masks; /* of a warp's lanes, found by their first thread */
    barrier numbered[16];             /* of some of its warps */
    size_t live;
    std::map<const void *, mbarrier_state> mbarriers; /* by their places in shared memory */
    char begun = 0; /* written as its first thread begins; not hidden from TSan */
    order left;

    ~block() {
        free(shared);
    }
};

struct thread {
    uint3 index;
    unsigned rank; /* in its block */
    block *home;
    fiber course;
    std::vector<sent_copy> sent; /* to global memory, not waited for yet */
    site waits_at = {};          /* file NULL: it does not wait */
    bool returned = false;

    thread(void (*run)(), uint3 index_, unsigned rank_, block *home_)
        : index(index_), rank(rank_), home(home_), course(run) {}
};

struct launched { /* lives until synchronize() */
    std::function<void()> kernel;
    std::deque<cluster> clusters;
    std::deque<block> blocks;
    barrier all;
    order finished;
};

struct world_state {
    std::deque<std::unique_ptr<launched>> launches; /* not yet synchronized; the last is current */
    order before; /* all threads of a launch come after what the host did before it */
    dim3 grid, block, cluster_size;
    size_t shared_bytes = 0;
    bool cooperative = false;
    bool programmatic = false;
    std::deque<thread> threads;   /* those that are alive */
    std::vector<thread *> can_go; /* of those, neither waiting nor returned */
    size_t looks_in_vain = 0;     /* see let_others_go(); since a thread did anything else */
#ifdef CUEMU_TSAN
    size_t most_live_threads = 1024; /* where the launch leaves a choice */
#else
    size_t most_live_threads = 256;
#endif

    site muted = {}; /* a barrier that orders nothing: TSan must report it, or it is not needed */
    std::map<site, unsigned long> sites; /* every barrier met, and how often it completed */
    unsigned long launch_count = 0, block_count = 0, thread_count = 0, barrier_count = 0;
};
inline world_state world;

inline thread *self = nullptr;

[[noreturn, gnu::format(printf, 1, 2)]] inline void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("cuemu: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    _Exit(exit_code);
}

inline std::string name(const thread &t) {
    auto text = [](const uint3 &i) {
        return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) +
               ")";
    };
    return "thread " + text(t.index) + " of block " + text(t.home->index);
}

inline std::string name(const site &s) {
    return s.file ? std::string(s.file) + ":" + std::to_string(s.line) : "nowhere";
}

/* No thread can continue. If some wait, their wait cannot end: says which threads are where. */
inline void check_all_returned() {
    if (std::all_of(world.threads.begin(), world.threads.end(),
                    [](const thread &t) { return t.returned; }))
        return;
    std::map<std::string, std::pair<size_t, const thread *>> places;
    for (const thread &t : world.threads) {
        auto &place = places[t.returned ? "returned" : "wait at " + name(t.waits_at)];
        if (!place.first++)
            place.second = &t;
    }
    std::string text;
    for (const auto &place : places)
        text += "\n    " + std::to_string(place.second.first) + " threads " + place.first + ", " +
                name(*place.second.second) + " among them";
    die("divergent barrier: no thread can go on%s", text.c_str());
}

/* A thread that waits for what others write has looked for it, `again` if not for the first time,
 * and lets others continue. Once all that can continue have only looked again, many times, nothing
 * will be written any more. */
inline void let_others_go(site here, bool again) {
    unseen hidden;
    world.looks_in_vain = again ? world.looks_in_vain + 1 : 0;
    world.can_go.push_back(self);
    if (world.looks_in_vain > 100 * world.can_go.size())
        die("%s waits in vain at %s", name(*self).c_str(), name(here).c_str());
    fiber::rest();
}

// ---- Barriers -----------------------------------------------------------------------------------

inline arrival barrier::arrive(site here, bool ordering) {
    arrival mine;
    {
        unseen hidden;
        mine = {phase, ordering && !(world.muted.file && here == world.muted)};
    }
    if (mine.ordering)
        orders[mine.phase % 2].release();

    unseen hidden;
    if (!arrived)
        where = here;
    else if (!(where == here))
        die("divergent barrier: %s is at %s, others of its barrier at %s", name(*self).c_str(),
            name(here).c_str(), name(where).c_str());
    if (++arrived == expected) {
        world.barrier_count++;
        if (ordering) /* a shuffle has its own data and orders nothing else */
            world.sites[here]++;
        world.can_go.insert(world.can_go.end(), waiting.begin(), waiting.end());
        waiting.clear();
        arrived = 0;
        phase++;
    }
    return mine;
}

inline void barrier::wait(arrival mine) {
    {
        unseen hidden;
        if (phase == mine.phase) {
            self->waits_at = where;
            waiting.push_back(self);
            fiber::rest();
            self->waits_at = {};
        }
    }
    if (mine.ordering)
        orders[mine.phase % 2].acquire();
}

/* The barrier of the lanes in `mask` of this thread's warp; disjoint masks have different first
 * lanes. */
inline barrier &lanes_of(unsigned mask) {
    const unsigned lane = self->rank % warp_size, warp = self->rank - lane;
    const unsigned threads = (unsigned)world.block.count() - warp;
    if (threads < warp_size)
        mask &= (1u << threads) - 1;
    if (!(mask >> lane & 1))
        die("%s is not in its own mask %#x", name(*self).c_str(), mask);
    barrier &lanes = self->home->masks[warp + (unsigned)__builtin_ctz(mask)];
    unseen hidden;
    const unsigned count = (unsigned)__builtin_popcount(mask);
    if (lanes.arrived && lanes.expected != count)
        die("divergent barrier: %s comes with mask %#x, others with another", name(*self).c_str(),
            mask);
    lanes.expected = count;
    return lanes;
}

/* The barrier of `threads` of the block, whole warps, who agree on a number; 0 is the block's own.
 */
inline void sync_some(unsigned number, unsigned threads, site here) {
    if (number < 1 || number > 15 || threads % warp_size)
        die("%s: barrier %u of %u threads: must be 1 to 15, of whole warps", name(*self).c_str(),
            number, threads);
    barrier &some = self->home->numbered[number];
    {
        unseen hidden;
        if (some.arrived && some.expected != threads)
            die("divergent barrier: %s comes to barrier %u with %u threads, others with %u",
                name(*self).c_str(), number, threads, some.expected);
        some.expected = threads;
    }
    some.sync(here);
}

/* Every lane gives `value` and gets that of lane `from`, or its own if `from` is out of its
 * segment. A shuffle orders no other memory. */
template <class T> T shuffle(unsigned mask, T value, unsigned from, bool inside, site here) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 4 or 8 bytes");
    const unsigned lane = self->rank % warp_size;
    barrier &lanes = lanes_of(mask);
    {
        unseen hidden;
        memcpy(&lanes.lanes[lanes.phase % 2][lane], &value, sizeof value);
    }
    const arrival mine = lanes.arrive(here, false);
    lanes.wait(mine);
    if (!inside)
        return value;
    if (!(mask >> from & 1) || self->rank - lane + from >= world.block.count())
        die("%s shuffles from lane %u, which takes no part, at %s", name(*self).c_str(), from,
            name(here).c_str());
    unseen hidden;
    memcpy(&value, &lanes.lanes[mine.phase % 2][from], sizeof value);
    return value;
}

// ---- Launches -----------------------------------------------------------------------------------

inline void *shared_memory() {
    return self->home->shared;
}

inline void run_thread() {
    world.before.acquire();
    block &home = *self->home;
    if (self->rank == 0)
        home.begun = 1;
    world.launches.back()->kernel();
    if (!self->sent.empty())
        die("%s returns before what it sent has left", name(*self).c_str());
    home.left.release();
    bool last;
    {
        unseen hidden;
        last = !--home.live && world.cluster_size.count() > 1;
    }
    /* A block's shared memory ends with it: no other block of the cluster may read it any more. */
    if (last) {
        home.left.acquire();
        memset(home.shared, 0xff, world.shared_bytes);
    }
    world.launches.back()->finished.release();
    unseen hidden;
    self->returned = true;
}

/* Runs the threads that are alive to their ends. */
inline void run_threads(std::mt19937 &random) {
    for (thread &t : world.threads)
        world.can_go.push_back(&t);
    while (!world.can_go.empty()) {
        std::swap(world.can_go[random() % world.can_go.size()], world.can_go.back());
        self = world.can_go.back();
        world.can_go.pop_back();
        threadIdx = self->index;
        blockIdx = self->home->index;
        blockDim = world.block;
        gridDim = world.grid;
        const size_t looks = world.looks_in_vain;
        self->course.resume();
        if (world.looks_in_vain == looks)
            world.looks_in_vain = 0;
    }
    check_all_returned();
}

/* Lets the host see what kernels wrote. */
inline void synchronize() {
    for (auto &launch : world.launches)
        launch->finished.acquire();
    world.launches.clear();
}

/* While one of these lives, launches are programmatic: each comes after the one before it only from
 * its cudaGridDependencySynchronize() on, and the host sees their results only at the end. */
struct programmatic_launches {
    programmatic_launches() {
        world.programmatic = true;
    }
    ~programmatic_launches() {
        world.programmatic = false;
        synchronize();
    }
};

/* Runs all threads of a launch, a few blocks concurrently. */
inline void run_grid(dim3 grid, dim3 block_size, size_t shared_bytes, bool cooperative,
                     unsigned seed, const std::function<void()> &kernel, dim3 cluster_size) {
    const size_t block_threads = block_size.count(), cluster_blocks = cluster_size.count();
    world.launches.push_back(std::make_unique<launched>());
    launched &current = *world.launches.back();
    current.kernel = kernel;
    current.all.expected = (unsigned)(grid.count() * block_threads);
    world.grid = grid;
    world.block = block_size;
    world.cluster_size = cluster_size;
    world.shared_bytes = shared_bytes;
    world.cooperative = cooperative;
    world.launch_count++;
    world.block_count += grid.count();
    world.thread_count += grid.count() * block_threads;

    std::mt19937 random(seed);
    const dim3 clusters(grid.x / cluster_size.x, grid.y / cluster_size.y, grid.z / cluster_size.z);
    std::vector<size_t> sequence(clusters.count());
    std::iota(sequence.begin(), sequence.end(), 0);
    std::shuffle(sequence.begin(), sequence.end(), random);
    for (size_t place : sequence) {
        const uint3 corner = clusters.index(place);
        cluster &home = current.clusters.emplace_back();
        home.all.expected = (unsigned)(cluster_blocks * block_threads);
        for (unsigned rank = 0; rank < cluster_blocks; rank++) {
            const uint3 in = cluster_size.index(rank);
            block &b = current.blocks.emplace_back();
            b.index = {corner.x * cluster_size.x + in.x, corner.y * cluster_size.y + in.y,
                       corner.z * cluster_size.z + in.z};
            b.home = &home;
            b.rank_in_cluster = rank;
            b.live = b.all.expected = (unsigned)block_threads;
            b.masks = std::make_unique<barrier[]>(block_threads);
            if (posix_memalign(&b.shared, 128, shared_bytes))
                die("%zu blocks of %zu bytes of shared memory: no memory", grid.count(),
                    shared_bytes);
            memset(b.shared, 0xff, shared_bytes);
            home.blocks.push_back(&b);
        }
    }

    const size_t whole =
        std::max<size_t>(1, world.most_live_threads / (cluster_blocks * block_threads));
    const size_t group = cooperative ? grid.count() : whole * cluster_blocks;
    for (size_t first = 0; first < grid.count(); first += group) {
        world.threads.clear();
        for (size_t b = first; b < std::min(first + group, grid.count()); b++)
            for (unsigned rank = 0; rank < block_threads; rank++)
                world.threads.emplace_back(run_thread, block_size.index(rank), rank,
                                           &current.blocks[b]);
        run_threads(random);
    }
    world.threads.clear();
}

/* Runs `kernel` once per thread. Blocks begin in an order drawn from `seed`, a few of them
 * concurrently, or all if the launch is cooperative. Shared memory is exactly shared_bytes of NaN.
 */
inline void launch(dim3 grid, dim3 block_size, size_t shared_bytes, bool cooperative, unsigned seed,
                   const std::function<void()> &kernel, dim3 cluster_size = 1) {
    const size_t block_threads = block_size.count();
    if (!block_threads || block_threads > 1024 || !grid.count() || grid.x % cluster_size.x ||
        grid.y % cluster_size.y || grid.z % cluster_size.z)
        die("launch of %zu blocks of %zu threads", grid.count(), block_threads);

    world.before.release();
    {
        unseen hidden; /* threads of an earlier launch may have read what is written here */
        run_grid(grid, block_size, shared_bytes, cooperative, seed, kernel, cluster_size);
    }
    if (!world.programmatic)
        synchronize();
}

/* Prints one line at the end of a test. */
inline void print_counts() {
    printf("cuemu: %lu launches, %lu blocks, %lu threads, %lu barriers completed at %zu lines\n",
           world.launch_count, world.block_count, world.thread_count, world.barrier_count,
           world.sites.size());
}

} // namespace cuemu

#endif
