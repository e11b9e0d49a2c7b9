#!/usr/bin/env bash
# Every catalogue scenario gives the same fingerprints on g++ -O0, g++ -O2 and clang -O2, with one
# worker and with two. SEEDS (default 1000) a scenario.
set -euo pipefail
cd "$(dirname "$0")/../.."
source scenarios/packages.sh
seeds=${1:-1000}

build() {  # name, compiler, flags
  quietly cmake -S . -B "build/fingerprint-$1" -G Ninja -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_FLAGS="$3" -DHOLDFAST_TESTS=ON -DCMAKE_UNITY_BUILD=ON
  quietly cmake --build "build/fingerprint-$1" --target holdfast_fingerprints
}
build gcc-O0 g++ -O0
build gcc-O2 g++ -O2
build clang-O2 clang++-19 -O2

want=
for build in gcc-O2 gcc-O0 clang-O2; do
  for workers in 1 2; do
    got=$("build/fingerprint-$build/tests/holdfast_fingerprints" "$seeds" "$workers")
    if [ -z "$want" ]; then
      want=$got
      echo "$want"
    elif [ "$got" != "$want" ]; then
      echo "fingerprints differ: $build with $workers workers" >&2
      diff <(echo "$want") <(echo "$got") >&2
      exit 1
    fi
  done
done
echo "same fingerprints on g++ -O0, g++ -O2, clang -O2, with 1 and 2 workers"
