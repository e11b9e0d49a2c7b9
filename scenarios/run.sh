#!/usr/bin/env bash
# Installs what is missing, builds the program, and runs the catalogue: every scenario simulated, and
# its live form on real Redis servers that it starts itself. Arguments go to `holdfast run` instead.
set -euo pipefail
cd "$(dirname "$0")/.."
source scenarios/packages.sh

# shellcheck disable=SC2086
install_missing $program_packages
quietly cmake --preset release
quietly cmake --build --preset release --target holdfast holdfast_clock_shim
if [ "$#" -gt 0 ]; then
  exec build/release/holdfast run "$@"
fi
exec build/release/holdfast run scenarios/catalogue --world both
