#!/bin/bash
# Makes this mount namespace look like a Mac, and starts a command in it: no /proc, ps as Apple prints it, and a Node
# that says it runs on darwin. FOLDER is empty and gets what is hidden. Usage: mac-enter.sh FOLDER COMMAND…
set -euo pipefail
real=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
node=$(readlink -f "$(command -v node)")

mkdir -p "$real/proc" "$real/dev"
mount --rbind /proc "$real/proc"
touch "$real/node"
mount --bind "$node" "$real/node"
cp "$here/mac-node.cjs" "$here/mac-ps.mjs" "$real"

# A Mac has /dev/fd, and here it is a link into /proc.
mount -t tmpfs -o mode=755 tmpfs "$real/dev"
for name in null zero full random urandom tty; do
  touch "$real/dev/$name"
  mount --bind "/dev/$name" "$real/dev/$name"
done
mkdir "$real/dev/pts" "$real/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$real/dev/pts"
ln -s pts/ptmx "$real/dev/ptmx"
ln -s "$real/proc/self/fd" "$real/dev/fd"
for at in 0:stdin 1:stdout 2:stderr; do ln -s "fd/${at%:*}" "$real/dev/${at#*:}"; done

program() {
  printf '#!/bin/bash\n%s\n' "$2" >"$real/$1.sh"
  chmod 755 "$real/$1.sh"
}
program node "exec -a '$node' '$real/node' --require '$real/mac-node.cjs' \"\$@\""
program ps "exec '$real/node' '$real/mac-ps.mjs' '$real/proc' \"\$@\""
mount --bind "$real/node.sh" "$node"
mount --bind "$real/ps.sh" "$(readlink -f /bin/ps)"
# There is no `timeout` on a Mac.
mount --bind /dev/null "$(readlink -f /usr/bin/timeout)"
mount --rbind "$real/dev" /dev
mkdir "$real/none"
mount --bind "$real/none" /proc
exec "$@"
