/* SPDX-License-Identifier: MIT
 * The part of CUDA's header of this name that kernels use, over cuemu.
 */
#ifndef WEFT_TESTS_CUEMU_COOPERATIVE_GROUPS_H
#define WEFT_TESTS_CUEMU_COOPERATIVE_GROUPS_H

#include "cuemu.h"

namespace cooperative_groups {

struct group {
    using arrival_token = cuemu::arrival;
    cuemu::barrier &all;
    void sync(CUEMU_HERE) const {
        all.sync({file, line});
    }
    arrival_token barrier_arrive(CUEMU_HERE) const {
        return all.arrive({file, line});
    }
    void barrier_wait(arrival_token &&token) const {
        all.wait(token);
    }
};

struct grid_group : group {
    unsigned long long block_rank() const {
        return gridDim.rank(blockIdx);
    }
    unsigned long long thread_rank() const {
        return block_rank() * blockDim.count() + cuemu::self->rank;
    }
    unsigned long long size() const {
        return gridDim.count() * blockDim.count();
    }
};

struct cluster_group : group {
    unsigned block_rank() const {
        return cuemu::self->home->rank_in_cluster;
    }
    unsigned num_blocks() const {
        return (unsigned)cuemu::world.cluster_size.count();
    }
    /* To TSan it is a race with the other block's beginning unless a barrier has shown that it has
     * begun. */
    template <class T> T *map_shared_rank(T *mine, unsigned rank) const {
        const char *here = (const char *)cuemu::shared_memory();
        cuemu::block &other = *cuemu::self->home->home->blocks[rank];
        if (rank != block_rank())
            (void)*(volatile char *)&other.begun;
        return (T *)((char *)other.shared + ((const char *)mine - here));
    }
};

inline grid_group this_grid() {
    if (!cuemu::world.cooperative)
        cuemu::die("this_grid() in a launch that is not cooperative");
    return {{cuemu::world.launches.back()->all}};
}
inline cluster_group this_cluster() {
    return {{cuemu::self->home->home->all}};
}

} // namespace cooperative_groups

#endif
