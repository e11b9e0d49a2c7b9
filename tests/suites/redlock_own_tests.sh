#!/usr/bin/env bash
# redlock_own_tests.sh HOLDFAST: the tests that redlock 4.2.0 ships, all 224. Some of them allow for
# a few milliseconds between a lock and the look at it: they go before others where that is allowed,
# and when the machine was busy for longer they are run again, up to three times, with a fresh node.
set -uo pipefail
here=$(dirname "$0")
for _ in 1 2 3; do
  nice -n -10 bash "$here/served.sh" "$1" "$here/single_node.json" 0 \
    node "$here/run_mocha.js" 224 "$NODE_PATH/redlock/test.js" && exit 0
done
exit 1
