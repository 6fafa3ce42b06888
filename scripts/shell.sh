# shellcheck shell=sh disable=SC2034,SC2154 # its variables are its users', and the other way round
# SPDX-License-Identifier: MIT
# What run and the scripts for tests and GPUs share: messages, Debian packages, the CUDA toolkit, build
# folders, counting. Sourced by them, with $root set to the tree. Only results go to stdout.

say() { printf 'weft: %s\n' "$*" >&2; }
# stop STATUS WORD...
stop() {
    status=$1
    shift
    say "$*"
    exit "$status"
}
die() { stop 1 "$@"; }

# show_head_for ARGUMENT: prints the calling script's head, without its first two lines, and ends, if it asks for help.
show_head_for() {
    case $1 in
    --help | -h)
        sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    esac
}

# ---- packages ------------------------------------------------------------------------------------
RUN_PACKAGES="cmake ninja-build gcc pkg-config libpng-dev zlib1g-dev libjpeg-dev libtiff-dev libisal-dev
    libjansson-dev libfftw3-dev"
# python3-numpy and git let tests run that are skipped without them.
TEST_PACKAGES="g++ libcmocka-dev make python3 python3-numpy git"
# Of ./run python alone; what is not Debian's comes from pip.
PYTHON_PACKAGES="python3 python3-dev python3-venv"
# One version of clang, so that its opinion on layout and races does not depend on the machine. Where a release no
# longer has it, what needs it is skipped. ccache only saves time.
WELCOME_PACKAGES="clang-14 clang-format-14 libomp-14-dev libclang-rt-14-dev ccache"
# Of ./run paper alone; a browser is not a package of apt everywhere, and without one the page is not looked at.
PAPER_PACKAGES="python3 texlive-latex-base texlive-latex-recommended texlive-fonts-recommended lmodern librsvg2-bin
    poppler-utils fonts-liberation"
BROWSER_PACKAGES=chromium

# missing PACKAGE...: those that are not installed, in one line.
missing() {
    for package in "$@"; do
        case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
        installed*) ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

# known PACKAGE...: those that apt can install, in one line.
known() {
    for package in "$@"; do
        if apt-cache policy "$package" 2>/dev/null | grep -q 'Candidate: [^(]'; then
            printf '%s ' "$package"
        fi
    done
}

apt_get() {
    sudo=sudo
    [ "$(id -u)" != 0 ] || sudo=
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >&2 </dev/null
}

# provide "NEEDED..." ["WELCOME..."]: installs what is missing and says so; nothing happens, and no network
# is touched, when all is there. What is only welcome may be absent from this release.
# shellcheck disable=SC2086 # lists of words throughout
provide() {
    if [ -n "${WEFT_NO_INSTALL:-}" ]; then
        return 0
    fi
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "this is not Debian or Ubuntu: taking for granted what these packages hold: $1"
        return 0
    fi
    welcome=${2:-}
    if grep -qs '^VERSION_CODENAME=jammy' /etc/os-release; then # there it is a part of another package
        welcome=$(echo "$welcome" | sed 's/libclang-rt-14-dev//')
    fi
    needed=$(missing $1) welcome=$(missing $welcome)
    if [ -z "$needed$welcome" ]; then
        return 0
    fi
    say "not installed: $needed$welcome"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        [ -z "$needed" ] || die "neither root nor sudo here; as root: apt-get install $needed"
        say "neither root nor sudo here: going on without"
        return 0
    fi
    if ! apt_get update; then
        [ -z "$needed" ] || die "apt-get update failed: its own words are above"
        say "apt-get update failed: going on without"
        return 0
    fi
    welcome=$(known $welcome)
    if [ -n "$needed$welcome" ]; then
        say "installing: $needed$welcome"
        apt_get install -y --no-install-recommends $needed $welcome ||
            die "apt-get install failed: its own words are above"
    fi
}

# ---- the CUDA toolkit ----------------------------------------------------------------------------
# Where cmake/cuda.cmake looks too. Prints nothing when there is none.
find_nvcc() {
    for nvcc in "${CUDACXX:-}" "$(command -v nvcc || :)" "${CUDA_HOME:-}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
        if [ -x "$nvcc" ] && [ -f "$nvcc" ]; then
            echo "$nvcc"
            return 0
        fi
    done
}

# cuda_architectures: of the GPUs here, for CMake; 90 where there are none to ask.
cuda_architectures() {
    found=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
        sed -n 's/^\([0-9]*\)\.\([0-9]\)$/\1\2/p' | sort -u | paste -s -d ';')
    echo "${found:-90}"
}

# has_gpu: whether the driver lists one, or has made its device where there is no nvidia-smi. Quick: it builds
# nothing and takes no GPU.
has_gpu() {
    if command -v nvidia-smi >/dev/null; then
        nvidia-smi -L 2>/dev/null | grep -q '^GPU '
    else
        ls /dev/nvidia[0-9]* >/dev/null 2>&1
    fi
}

# have_cufft NVCC: whether that toolkit has cuFFT to link with.
have_cufft() {
    toolkit=$(dirname "$(dirname "$(readlink -f "$1")")")
    for library in "$toolkit"/lib64/libcufft.so "$toolkit"/targets/*/lib/libcufft.so \
        /usr/lib/*-linux-gnu/libcufft.so; do
        [ ! -e "$library" ] || return 0
    done
    return 1
}

# have_fftw: both precisions with their OpenMP halves, as the peer wants them.
have_fftw() {
    pkg-config --exists fftw3 fftw3f &&
        for library in libfftw3_omp.so libfftw3f_omp.so; do
            [ -e "$(pkg-config --variable=libdir fftw3)/$library" ] || return 1
        done
}

on_off() { if "$@" >/dev/null 2>&1; then echo ON; else echo OFF; fi; }

# ---- build folders -------------------------------------------------------------------------------
# configure FOLDER PRESET [-DNAME=VALUE...]: left alone when it was configured the same way before.
configure() {
    folder=$root/build/$1
    shift
    if [ -e "$folder/CMakeCache.txt" ] && [ "$(cat "$folder/configured-with" 2>/dev/null)" = "$*" ]; then
        return 0
    fi
    [ ! -e "$folder/configured-with" ] || rm -f "$folder/configured-with" "$folder/CMakeCache.txt"
    (cd "$root" && cmake --preset "$@" -B "$folder") || return 1
    echo "$*" >"$folder/configured-with"
}

# cpu_has FLAG...: whether the CPU here has all of these, by their names in /proc/cpuinfo.
cpu_has() {
    flags=" $(sed -n 's/^flags[[:space:]]*://p;T;q' /proc/cpuinfo 2>/dev/null) "
    for flag in "$@"; do
        case $flags in *" $flag "*) ;; *) return 1 ;; esac
    done
}

# simd_here: the instruction set of x86-64 that cpu.fast uses here (src/isa.c), for WEFT_SIMD; ON, all of
# them, where that is none of the newer ones.
simd_here() {
    if ! cpu_has avx2 fma bmi1 bmi2 sse4_2 popcnt; then
        echo ON
    elif cpu_has avx512f avx512bw avx512cd avx512dq avx512vl; then
        echo v4
    else
        echo v3
    fi
}

# configure_bench FOLDER NVCC [-DNAME=VALUE...]: the preset bench, with the peers that are here; with CUDA unless NVCC
# is empty.
configure_bench() {
    folder=$1 nvcc=$2
    shift 2
    cuda=OFF cufft=OFF
    if [ -n "$nvcc" ]; then
        cuda=ON
        cufft=$(on_off have_cufft "$nvcc")
    fi
    configure "$folder" bench "-DWEFT_CUDA=$cuda" "-DCMAKE_CUDA_ARCHITECTURES=$(cuda_architectures)" \
        "-DWEFT_PEER_CUFFT=$cufft" "-DWEFT_PEER_FFTW=$(on_off have_fftw)" "$@"
}

# show_steps LOG: keeps what a build says; on a terminal one line tells the step that ninja is at.
show_steps() {
    while IFS= read -r line; do
        printf '%s\n' "$line"
        step=${line%%]*}
        case $line in
        \[*/*\]*) [ ! -t 2 ] || printf '\r\033[Kweft: building, step %s' "${step#[}" >&2 ;;
        esac
    done >"$1"
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# ---- counting ------------------------------------------------------------------------------------
passed=0 failed=0 skipped=0

# note PASS|FAIL|SKIP NAME [WHY]
note() {
    case $1 in
    PASS) passed=$((passed + 1)) ;;
    FAIL) failed=$((failed + 1)) ;;
    SKIP) skipped=$((skipped + 1)) ;;
    esac
    echo "$1 $2${3:+: $3}"
}

# add_total NAME LOG: counts what the last line of tests/run_all.py's output says.
add_total() {
    total=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$2")
    if [ -z "$total" ]; then
        note FAIL "$1" "the tests ended without a count"
        return 0
    fi
    # shellcheck disable=SC2086 # three words
    set -- $total
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# run_tests NAME FOLDER LOG [ctest's arguments...]: the last line, a count, is added and not shown.
run_tests() {
    tests_name=$1 tests_folder=$2 tests_log=$3
    shift 3
    python3 -B "$root/tests/run_all.py" "$tests_folder" "$@" 2>&1 </dev/null | tee "$tests_log" | sed '$d'
    add_total "$tests_name" "$tests_log"
}

# finish: the one line that counts everything; its status is that of the whole.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
}

# ---- results -------------------------------------------------------------------------------------
# keep DOCUMENT: moves it to $out, with its name and the hash of the kernels, and shows its tables. What cannot have that
# hash is kept as it is: it has taken a GPU's time.
keep() {
    name=$(python3 -B "$root/scripts/draw-results" --name "$1")
    if python3 -B "$root/scripts/draw-results" --stamp "$1" >"$out/$name"; then
        rm -f "$1"
    else
        mv "$1" "$out/$name"
        note FAIL "hash of $name" "above is why; draw-results --stamp can add it elsewhere"
    fi
    python3 -B "$root/scripts/draw-results" --show "$out/$name" || note FAIL "tables of $name" "above is why"
    echo "results: $out/$name"
}

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }
now() { date +%s; }
