#!/bin/sh
# SPDX-License-Identifier: MIT
# run_mutants.sh SOURCE [cpu|gpu] [PATCH...]: copies the tree, applies each patch of this folder in turn, all or
# those of one kind of programs, and requires a small fast part of the tests to turn red. A patch that no longer
# applies, or does not build, is a failure: mutants must keep up with the code. Prints PASS / FAIL lines. First line
# of a patch: what is wrong then.
from=$PWD
source=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
shift
kind=all
case ${1:-} in
cpu | gpu) kind=$1 && shift ;;
esac
[ $# -gt 0 ] || set -- "$here"/*.patch
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
failed=0

# The tree that mutates, and what it begins with each time: the unchanged one, with what has been built of it.
mkdir "$scratch/tree" || exit 1
for part in CMakeLists.txt cmake docs include src cpu_ref cuda check tests; do
    cp -r "$source/$part" "$scratch/tree/" || exit 1
done
cd "$scratch" || exit 1
restore() { rm -rf tree && cp -a sound tree; }

export WEFT_TEST_QUICK=1 OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
cpu_programs="test_layout test_pixels test_filter test_accuracy"
# It turns red at any change of the arithmetic, which the others must notice without it: so only for cpu.fast.
fast_programs="$cpu_programs test_bits"

# build TARGET...: quietly, the end of the log on stdout when it fails.
build() {
    cmake --build tree/build --parallel "$(getconf _NPROCESSORS_ONLN)" --target "$@" >build.log 2>&1 ||
        { tail -n 5 build.log; return 1; }
}

# The programs that must notice a mutant of this patch.
programs_for() {
    case $(sed -n 's/^+++ //p' "$1") in
    cuda/*dx11_*) echo test_dx11_plain ;;
    cuda/*) echo test_kernels_tsan ;;
    cpu_ref/fast/*) echo $fast_programs ;;
    *) echo $cpu_programs ;;
    esac
}

# run PROGRAM: the kernels in their short form, which is to drop one barrier itself: here, none.
run() {
    path=$(find tree/build -name "$1" -type f -perm -u+x | head -n 1)
    case $1 in
    test_kernels_tsan) TSAN_OPTIONS=halt_on_error=1 timeout 120 "$path" f32 none:0 ;;
    test_layout | test_dx11_plain) timeout 120 "$path" ;;
    *) timeout 120 "$path" cpu ;;
    esac >run.log 2>&1
}

fail() {
    echo "FAIL mutant $1: $2"
    failed=1
}

# Whether the unchanged tree builds and passes these programs; looked at once for each list.
sound() {
    mark=$(echo "sound $*" | tr ' ' '_')
    [ -e "$mark" ] && return "$(cat "$mark")"
    echo 1 >"$mark"
    restore
    build "$@" >log || return 1
    for program in "$@"; do
        run "$program" || { echo "it fails $program" >log; return 1; }
    done
    rm -rf sound
    cp -a tree sound
    echo 0 >"$mark"
}

# Whether the build has this target.
has_target() {
    cmake --build tree/build --target help 2>/dev/null | grep -q "$1"
}

try() {
    name=$(basename "$1" .patch)
    programs=$(programs_for "$1")
    if [ "$programs" = test_kernels_tsan ] && ! has_target "$programs"; then
        echo "SKIP mutant $name: the kernels have no ThreadSanitizer build here (no clang++)"
        return
    fi
    sound $programs || { fail "$name" "the tree is red without it: $(tr '\n' ' ' <log)"; return; }
    restore
    patch -d tree -p0 -s -F0 <"$1" >patch.log 2>&1 || { fail "$name" "the patch no longer applies"; return; }
    build $programs >log || { fail "$name" "does not build: $(tr '\n' ' ' <log)"; return; }
    for program in $programs; do
        run "$program" || { echo "PASS mutant $name"; return; }
    done
    fail "$name" "nothing noticed: $(head -n 1 "$1")"
}

# Of kernels, only those that are run, not optimized, as they compile in a fourth of the time then; of cpu.fast's,
# those that every compiler builds.
cmake -S tree -B tree/build -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 -DCMAKE_CXX_FLAGS=-O1 \
    -DWEFT_CUDA=OFF -DWEFT_TOOL=OFF -DWEFT_CUEMU_F64=OFF -DWEFT_CUEMU_OPTIMIZE=-O0 -DWEFT_SIMD=OFF >configure.log 2>&1 ||
    { echo "FAIL mutants: configure"; exit 1; }
cp -a tree sound
for patch in "$@"; do
    case $patch in
    /*) ;;
    *) patch=$from/$patch ;;
    esac
    case $kind:$(programs_for "$patch") in
    all:* | cpu:"$cpu_programs"* | gpu:test_kernels* | gpu:test_dx11*) try "$patch" ;;
    esac
done
exit $failed
