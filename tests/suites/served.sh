#!/usr/bin/env bash
# served.sh HOLDFAST SCENARIO EXIT_CODE COMMAND...
# Runs COMMAND while `holdfast serve SCENARIO` answers at 127.0.0.1:6379 (further nodes: 6380 ...;
# control port 7000) in a network and a process space of their own: clients that know one fixed
# address find it, nobody else's server is met, and nothing is left running, however this ends.
# COMMAND finds the program as $HOLDFAST and what it prints in the file $SERVE_LOG. Succeeds when
# COMMAND does and `serve` ends with EXIT_CODE (0: no possible overlap was seen, 1: one was).
set -euo pipefail

if [ "${HOLDFAST_NETWORK:-}" != own ]; then
  exec env HOLDFAST_NETWORK=own unshare --user --map-root-user --net --pid --fork --kill-child \
    "$BASH" "$0" "$@"
fi
export HOLDFAST=$1
scenario=$2
expected=$3
shift 3
ip link set lo up
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_RUNTIME_DIR=$folder SERVE_LOG=$folder/serve.log

"$HOLDFAST" serve "$scenario" --port 6379 --control 7000 >"$SERVE_LOG" 2>&1 &
serve=$!
until grep -q '^control' "$SERVE_LOG"; do
  kill -0 "$serve" || { cat "$SERVE_LOG" >&2; exit 3; }
  sleep 0.02
done

failed=0
"$@" || failed=$?
kill -INT "$serve"
code=0
wait "$serve" || code=$?
if [ "$code" != "$expected" ]; then
  echo "holdfast serve ended with $code, expected $expected:" >&2
  tail -n 20 "$SERVE_LOG" >&2
  exit 1
fi
exit "$failed"
