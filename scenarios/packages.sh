# Sourced by the run scripts: installs Debian packages that are missing, and says which.
# redis-tools carries the server binary too (as redis-check-rdb, which becomes the server when it is
# started under the name redis-server), so that no Redis service is enabled or left running.
program_packages="g++ cmake ninja-build pkg-config libhiredis-dev libboost-program-options-dev
  nlohmann-json3-dev libuv1-dev liblua5.1-0-dev libfmt-dev redis-tools"

install_missing() {
  local missing=()
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      missing+=("$package")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  echo "installing Debian packages: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "need root or sudo to install: ${missing[*]}" >&2; return 3; }
    as_root=(sudo)
  fi
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -qq &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
           --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    return 3
  fi
  rm -f "$log"
}

# cmake's output only when it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
