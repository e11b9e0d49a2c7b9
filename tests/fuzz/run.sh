#!/usr/bin/env bash
# tests/fuzz/run.sh [SECONDS]: builds the fuzzers and runs each for so long (120 s) from the corpus
# that is kept here. What it finds on the way stays in build/fuzz/; an input that fails is written
# there and named, and the exit code is not 0.
set -euo pipefail
cd "$(dirname "$0")/../.."
source scenarios/packages.sh
seconds=${1:-120}

# shellcheck disable=SC2086
install_missing $program_packages clang-19 libclang-rt-19-dev
quietly cmake --preset fuzz
quietly cmake --build --preset fuzz --target holdfast_request_parser_fuzz holdfast_commands_fuzz
cd build/fuzz
for target in request_parser commands; do
  corpus=../../tests/fuzz/corpus/$target
  mkdir -p "found/$target"
  echo "== $target, $seconds s"
  "tests/fuzz/holdfast_${target}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len=512 -dict="../../tests/fuzz/$target.dict" -artifact_prefix="found/$target-" \
    -print_final_stats=1 -verbosity=0 "found/$target" "$corpus"
done
