#!/usr/bin/env bash
# install_packages.sh FOLDER: the npm packages of package-lock.json, by its integrity hashes, into
# FOLDER/node_modules, unless they are there already. No script of a package runs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
if cmp -s "$here/package-lock.json" installed.json; then exit 0; fi
rm -f installed.json
cp "$here/package.json" "$here/package-lock.json" .
npm ci --ignore-scripts --no-audit --no-fund --fetch-retries 5
cp package-lock.json installed.json
