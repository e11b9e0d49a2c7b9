#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests: the release build with every test, then the
# unit tests under g++ AddressSanitizer and UBSan, then clang-tidy on the files that changed.
# --all adds the clang sanitizer builds, clang-tidy on everything and the fingerprint matrix.
set -euo pipefail
cd "$(dirname "$0")/.."
source scenarios/packages.sh

all=0
for argument in "$@"; do
  case "$argument" in
    --all) all=1 ;;
    *) echo "usage: tests/run.sh [--all]" >&2; exit 2 ;;
  esac
done

test_packages="git libgtest-dev libgmock-dev libbenchmark-dev clang-format-19 clang-tidy-19 chromium"
# Clients of others (tests/suites). Some builds of Node.js bring npm with them.
test_packages="$test_packages python3-redis iproute2"
command -v node >/dev/null || test_packages="$test_packages nodejs"
command -v npm >/dev/null || test_packages="$test_packages npm"
if [ "$all" = 1 ]; then test_packages="$test_packages clang-19 libclang-rt-19-dev"; fi
# shellcheck disable=SC2086
install_missing $program_packages $test_packages

jobs=$(nproc)
build_and_test() {  # preset, target, further ctest arguments
  local preset=$1 target=$2
  shift 2
  echo "== $preset"
  quietly cmake --preset "$preset" -DHOLDFAST_TESTS=ON
  quietly cmake --build --preset "$preset" --target "$target"
  ctest --preset "$preset" -j "$jobs" "$@"
}

unit='^(lockcore|hiredis|sim|reports|format)$'
build_and_test release all
build_and_test gcc-asan holdfast_unit_tests --label-regex "$unit"

echo "== fingerprints"
quietly cmake --build --preset gcc-asan --target holdfast_fingerprints
for workers in 1 2; do
  diff <(build/release/tests/holdfast_fingerprints 20 1) \
    <(build/gcc-asan/tests/holdfast_fingerprints 20 "$workers")
done
echo "the same at -O3 and at -O0 under the sanitizers, with one worker and with two"

echo "== clang-tidy"
bash tests/tidy/clang_tidy.sh "$([ "$all" = 1 ] && echo everything || echo changed)"

if [ "$all" = 1 ]; then
  build_and_test clang-asan all --label-regex "$unit"
  build_and_test tsan holdfast_unit_tests --label-regex "$unit"
  bash tests/scenarios/fingerprint_matrix.sh
fi
echo "all tests passed"
