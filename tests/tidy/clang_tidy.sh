#!/usr/bin/env bash
# clang-format on everything and clang-tidy on sources: "changed" (against the branch's start, or the
# last commit) or "everything".
set -euo pipefail
cd "$(dirname "$0")/../.."
which=${1:-changed}

mapfile -t formatted < <(git ls-files '*.h' '*.cc')
clang-format-19 --dry-run --Werror "${formatted[@]}"

if [ "$which" = everything ]; then
  mapfile -t sources < <(git ls-files 'lockcore/*.cc' 'sim/*.cc' 'reports/*.cc' 'scenarios/*.cc')
else
  base=$(git merge-base HEAD origin/main 2>/dev/null || true)
  # On the branch's own start (a fresh clone) what the last commit changed.
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse -q --verify HEAD~1 || git rev-parse HEAD)
  fi
  mapfile -t sources < <({ git diff --name-only "$base" -- 'lockcore/*.cc' 'sim/*.cc' 'reports/*.cc' 'scenarios/*.cc'
                           git ls-files -o --exclude-standard '*.cc'; } | sort -u)
fi
existing=()
for source in "${sources[@]}"; do
  [ -f "$source" ] && existing+=("$source")
done
if [ "${#existing[@]}" = 0 ]; then
  echo "clang-tidy: no changed sources"
  exit 0
fi
# Compile commands of their own: clang cannot read g++'s precompiled headers, and some of g++'s warning
# switches mean nothing to it.
cmake -S . -B build/tidy -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
printf '%s\n' "${existing[@]}" | xargs -P "$(nproc)" -n 4 \
  clang-tidy-19 -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option
echo "clang-tidy: ${#existing[@]} sources clean"
