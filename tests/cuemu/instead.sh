#!/bin/sh
# SPDX-License-Identifier: MIT
# A compiler launcher that launches another compiler: `instead.sh clang++ c++ -c x.cpp` runs
# `clang++ -c x.cpp`.
compiler=$1
shift 2
exec "$compiler" "$@"
