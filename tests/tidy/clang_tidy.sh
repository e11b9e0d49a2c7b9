#!/usr/bin/env bash
# clang-format on everything and clang-tidy on sources: "changed" (against the branch's start, or the
# last commit) or "everything".
set -euo pipefail
cd "$(dirname "$0")/../.."
which=${1:-changed}

mapfile -t formatted < <(git ls-files '*.h' '*.cc')
clang-format-19 --dry-run --Werror "${formatted[@]}"

# Compile commands of their own: clang cannot read g++'s precompiled headers, and some of g++'s warning
# switches mean nothing to it.
tidy() {  # build folder, further arguments, --, files
  printf '%s\n' "${@:3}" | xargs -P "$(nproc)" -n 2 \
    clang-tidy-19 -p "$1" --quiet --extra-arg=-Wno-unknown-warning-option $2
}

if [ "$which" = everything ]; then
  # About ten sources at once, as whole builds compile them: a third of the time.
  cmake -S . -B build/tidy-whole -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON >/dev/null
  mapfile -t groups < <(git ls-files 'lockcore/*.cc' ':!lockcore/hiredis'
                        ls build/tidy-whole/*/CMakeFiles/holdfast_*.dir/Unity/unity_group_*.cxx \
                          build/tidy-whole/scenarios/CMakeFiles/holdfast.dir/Unity/unity_group_*.cxx \
                          build/tidy-whole/lockcore/hiredis/CMakeFiles/*/Unity/unity_group_*.cxx)
  tidy build/tidy-whole "--header-filter=$PWD/(lockcore|sim|reports|scenarios)/.* \
    --checks=-bugprone-suspicious-include --extra-arg=-Xclang \
    --extra-arg=-analyzer-opt-analyze-headers" "${groups[@]}"
  echo "clang-tidy: all sources clean"
  exit 0
fi

base=$(git merge-base HEAD origin/main 2>/dev/null || true)
# On the branch's own start (a fresh clone) what the last commit changed.
if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
  base=$(git rev-parse -q --verify HEAD~1 || git rev-parse HEAD)
fi
mapfile -t sources < <({ git diff --name-only "$base" -- 'lockcore/*.cc' 'sim/*.cc' 'reports/*.cc' 'scenarios/*.cc'
                         git ls-files -o --exclude-standard '*.cc'; } | sort -u)
existing=()
for source in "${sources[@]}"; do
  [ -f "$source" ] && existing+=("$source")
done
if [ "${#existing[@]}" = 0 ]; then
  echo "clang-tidy: no changed sources"
  exit 0
fi
cmake -S . -B build/tidy -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
tidy build/tidy "" "${existing[@]}"
echo "clang-tidy: ${#existing[@]} sources clean"
