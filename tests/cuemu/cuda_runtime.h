/* SPDX-License-Identifier: MIT
 * CUDA's header of this name, over cuemu: the language and the runtime.
 */
#include "cuda_runtime_api.h"
