#!/usr/bin/env bash
# controls.sh HOLDFAST: what runs the suites notices when they fail, run short or leave tests out,
# and when `serve` ends otherwise than expected.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
holdfast=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fails() {
  if "$@" >"$folder/log" 2>&1; then
    echo "did not fail: $*" >&2
    cat "$folder/log" >&2
    exit 1
  fi
}
cd "$folder"
echo "it('passes', () => {});" >one.js
echo "it('passes', () => {}); it('is pending');" >pending.js
echo "it('fails', () => { throw new Error('no'); }); it('passes', () => {});" >failing.js
node "$here/run_mocha.js" 1 one.js >/dev/null
fails node "$here/run_mocha.js" 2 one.js
fails node "$here/run_mocha.js" 0 one.js
fails node "$here/run_mocha.js" 1 pending.js
fails node "$here/run_mocha.js" 1 failing.js

served() { bash "$here/served.sh" "$holdfast" "$here/single_node.json" "$@"; }
served 0 redis-cli ping
fails served 0 false
fails served 1 true
lock='redis-cli set lock $RANDOM nx px 9000'
fails served 0 bash -c "$lock; redis-cli flushall; $lock; sleep 0.3"
fails served 0 bash -c "redis-cli -p 7000 crash n1; redis-cli -e ping"
