import { wordSet } from '../../core/word-list.ts'
import { PROGRAMS } from './index.ts'

/**
 * The name under which a program is known here. Homebrew, MacPorts and pkgsrc put a `g` before the names of programs of
 * GNU, so that those of the system stay: `grm` is rm, `gxargs` is xargs. A disk that knows no capitals also finds `RM`. A
 * name that is known as it stands means itself: `gzip`, `git`, `gawk`.
 */
export function usualName(name: string): string {
  if (PROGRAMS.get(name) !== undefined) return name
  const lower = name.toLowerCase()
  if (lower !== name) return isKnown(lower) || isPrefixed(lower) ? usualName(lower) : name
  return isPrefixed(name) ? name.slice(1) : name
}

function isKnown(name: string): boolean {
  return PROGRAMS.get(name) !== undefined || GNU.has(name)
}

function isPrefixed(name: string): boolean {
  return name.startsWith('g') && GNU.has(name.slice(1))
}

/** What coreutils, findutils, sed, tar, grep, awk, make and a few small packages install, as their manuals list it. */
const GNU = wordSet(`
  arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir
  dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install join kill link ln
  logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf
  ptx pwd readlink realpath rm rmdir runcon seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort
  split stat stdbuf stty sum sync tac tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink
  uptime users vdir wc who whoami yes
  find locate updatedb xargs
  sed tar awk grep egrep fgrep make m4 time which ed
`)
