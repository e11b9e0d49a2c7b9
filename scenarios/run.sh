#!/usr/bin/env bash
# Installs what is missing, builds the program, and runs the catalogue: every scenario simulated, and
# its live form on real Redis servers that it starts itself. With arguments: `holdfast run` with them.
# Called again while nothing has changed, it shows the last result anew; --again runs it anyway.
set -euo pipefail
cd "$(dirname "$0")/.."
source scenarios/packages.sh

# shellcheck disable=SC2086
install_missing $program_packages
if [ -x build/release/holdfast ]; then
  echo "building what has changed in the program"
else
  echo "building the program (about 4 minutes on 2 cores the first time)"
fi
quietly cmake --preset release
quietly cmake --build --preset release --target holdfast holdfast_clock_shim

again=0
if [ "${1:-}" = --again ]; then
  again=1
  shift
fi
if [ "$#" -gt 0 ]; then
  exec build/release/holdfast run "$@"
fi

# What the result depends on, and the result itself: a later run into the same folder counts as a
# change. Kept only when every expectation was met.
kept=build/release/catalogue-run.sha256
fingerprint() {
  sha256sum build/release/holdfast build/release/holdfast-clock-shim.so "$(command -v redis-check-rdb)" \
    scenarios/catalogue/* scenarios/protocols/* reports-out/report.json
}
if [ "$again" = 0 ] && [ -f "$kept" ] && fingerprint 2>/dev/null | cmp -s - "$kept"; then
  echo "nothing has changed since the last run of the catalogue: its result again" \
    "(scenarios/run.sh --again runs it anew)"
  exec build/release/holdfast report reports-out
fi
rm -f "$kept"
echo "running the catalogue: every scenario simulated, and its live form on real Redis servers"
build/release/holdfast run scenarios/catalogue --world both
fingerprint >"$kept"
