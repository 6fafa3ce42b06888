#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD VERSION: installs BUILD, moves the tree elsewhere, and builds and runs strangers' projects
# against it, which is Weft VERSION. Prints PASS / FAIL / SKIP lines. Called by CTest.
build=$1
version=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

# check NAME COMMAND...: PASS when the command succeeds.
check() {
    name=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then
        echo "PASS $name"
    else
        echo "FAIL $name: $(tail -n 3 "$scratch/log" | tr '\n' ' ')"
        failed=1
    fi
}

# says_ok PROGRAM: runs it against the moved library.
says_ok() {
    LD_LIBRARY_PATH=$libdir "$1" | grep -qx ok
}

check "install" cmake --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/moved"
config=$(find "$scratch/moved" -name weft.pc 2>/dev/null | head -n 1)
libdir=$(dirname "$(dirname "$config")")
cp -r "$here" "$scratch/projects"

# is TEXT COMMAND...: what the command prints.
is() {
    wanted=$1
    shift
    printed=$("$@") && echo "it says: $printed" && [ "$printed" = "$wanted" ]
}

soname_of() {
    objdump -p "$1" | awk '$1 == "SONAME" {print $2}'
}

tool=$scratch/moved/bin/weft
if [ -x "$tool" ]; then
    check "weft --version" sh -c "'$tool' --version | grep -q '^weft $version, '"
else
    echo "SKIP weft --version: this build does not install the tool"
fi
check "soname" is libweft.so.1 soname_of "$libdir/libweft.so"
check "the library's file" test -f "$libdir/libweft.so.$version"

check "header compiles as C99" "${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
    -x c "$scratch/moved/include/weft.h"
check "header compiles as C++11" "${CXX:-c++}" -std=c++11 -Wall -Wextra -Wpedantic -Werror \
    -fsyntax-only -x c++ "$scratch/moved/include/weft.h"

if command -v pkg-config >/dev/null; then
    check "pkg-config names the moved prefix" env PKG_CONFIG_PATH="$libdir/pkgconfig" \
        sh -c "pkg-config --cflags weft | grep -q '$scratch/moved'"
    check "version in weft.pc" is "$version" env PKG_CONFIG_PATH="$libdir/pkgconfig" pkg-config --modversion weft
    check "pkg-config project builds" env PKG_CONFIG_PATH="$libdir/pkgconfig" \
        make -C "$scratch/projects/pkg-config"
    for program in consumer_c consumer_cpp consumer_static; do
        check "pkg-config $program runs" says_ok "$scratch/projects/pkg-config/$program"
    done
else
    echo "SKIP pkg-config project: there is no pkg-config"
fi

check "find_package project configures" cmake -S "$scratch/projects/cmake" -B "$scratch/out" \
    -DCMAKE_PREFIX_PATH="$scratch/moved" -DVERSION_OF_WEFT="$version"
check "find_package project builds" cmake --build "$scratch/out"
for program in consumer_c consumer_cpp consumer_static; do
    check "find_package $program runs" says_ok "$scratch/out/$program"
done

# Only weft_* may be visible, so that Weft clashes with nobody.
foreign() {
    nm -D --defined-only "$libdir/libweft.so" | awk '$2 ~ /[TDBRV]/ {print $3}' | grep -v '^weft_'
}
if [ -n "$(foreign)" ]; then
    echo "FAIL only weft_* is exported: $(foreign | head -n 5 | tr '\n' ' ')"
    failed=1
else
    check "only weft_* is exported" sh -c "nm -D '$libdir/libweft.so' | grep -q weft_forward"
fi
exit $failed
