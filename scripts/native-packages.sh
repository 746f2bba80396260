# Installs what builds and tests the native clients for Linux on x64 and arm64. Needs Debian 12 and root; does nothing
# when everything is there. Source it from bash, then call `install_native_packages`.

install_native_packages() {
  local missing=()
  command -v musl-gcc >/dev/null || missing+=(musl-tools)
  # The rest builds for arm64 on x64, and runs it there.
  if [ "$(uname -m)" = x86_64 ]; then
    command -v aarch64-linux-gnu-gcc >/dev/null || missing+=(gcc-aarch64-linux-gnu)
    [ -e /usr/aarch64-linux-gnu/lib/libc.a ] || missing+=(libc6-dev-arm64-cross)
    command -v qemu-aarch64 >/dev/null || missing+=(qemu-user)
  fi
  if [ "${#missing[@]}" -gt 0 ]; then
    apt-get update -qq || return 1
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" || return 1
  fi
  command -v aarch64-linux-musl-gcc >/dev/null || install_musl_for_arm64
}

# Debian has musl for arm64 only as a package of that architecture. It is downloaded with package lists of its own and
# unpacked into a folder of its own, so that apt and dpkg on this machine stay as they are. apt checks its signature.
install_musl_for_arm64() {
  local folder=/usr/local/lib/musl-arm64 work failed=0
  work=$(mktemp -d) || return 1
  unpack_musl_for_arm64 "$work" "$folder" || failed=1
  rm -rf "$work"
  [ "$failed" = 0 ] || echo "native: Debian's package musl-dev:arm64 could not be downloaded or unpacked." >&2
  return "$failed"
}

unpack_musl_for_arm64() {
  local work=$1 folder=$2
  local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root
    -o Dir::State="$work" -o Dir::State::status=/dev/null -o Dir::Cache="$work")
  mkdir -p "$work/lists/partial" "$work/archives/partial" || return 1
  # A source without arm64 is no reason to stop: the download shows whether one had it.
  "${apt[@]}" update || true
  (cd "$work" && "${apt[@]}" download musl-dev:arm64) || return 1
  dpkg-deb -x "$work"/musl-dev_*_arm64.deb "$work/unpacked" || return 1
  # Its compiler is a script around aarch64-linux-gnu-gcc that names its files by full path.
  sed -i "s#/usr/\(lib\|include\)/#$folder/\1/#g" \
    "$work/unpacked/usr/bin/aarch64-linux-musl-gcc" \
    "$work/unpacked/usr/lib/aarch64-linux-musl/musl-gcc.specs" || return 1
  rm -rf "$folder" && mv "$work/unpacked/usr" "$folder" || return 1
  ln -sf "$folder/bin/aarch64-linux-musl-gcc" /usr/local/bin/aarch64-linux-musl-gcc
}
