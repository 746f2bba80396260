import type { Event } from '../../../event.ts'
import type { Facts } from '../../../facts.ts'
import type { SimpleCommand } from '../../../shell/command.ts'
import { exactText } from '../../../shell/words.ts'
import { caughtEffect } from '../../effects-of.ts'
import type { Caught, GuardInput } from '../../guard.ts'
import { actsIn, commandsIn, look, shellGuard } from '../../shell-guard.ts'
import { isTemporary } from './loading-values.ts'

/** Programs for other work that start what one of their options names. Settings of git are `safety/git/config-exec`. */
export const hiddenExec = shellGuard({
  id: 'safety/shell/hidden-exec',
  title: 'Program started by an option of another',
  why: 'It runs in the middle of a command that looks like something else, where nobody looks for it.',
  instead: 'run the program itself, so that it can be judged, or leave the option out (`tar cf a.tar src`).',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      "tar cf a.tar --checkpoint=1 '--checkpoint-action=exec=sh x.sh' x",
      'tar xf a.tar --to-command=/tmp/x',
      'tar cf a.tar -I /tmp/pack src',
      'wget --use-askpass=/tmp/ask https://example.com/',
      'tcpdump -i eth0 -z /tmp/x.sh -G 1 -w /tmp/x',
      'scp -S ./x a host:',
      'sort --compress-program=./x big.txt',
      'man -P /tmp/pager ls',
      'rg --pre /tmp/x pattern',
      'split --filter=/tmp/x big.txt',
      'ssh-keygen -D ./card.so',
      'ssh-add -s /tmp/card.so',
      'nmap --script=/tmp/x.nse example.com',
      'nmap --interactive',
      `cargo --config 'build.rustc-wrapper="/tmp/x"' build`,
      'gcc -wrapper /tmp/x,-v a.c',
    ],
    passes: [
      'tar cf a.tar src',
      'tar -I zstd -cf a.tar.zst src',
      'tar --use-compress-program=pigz -cf a.tgz src',
      "tar cf a.tar --checkpoint=100 --checkpoint-action='exec=echo hi' src",
      'tar xf a.tar --to-command="sha256sum"',
      'sort --compress-program=gzip big.txt',
      "split -b 1G --filter='gzip > $FILE.gz' big.txt",
      'rg --pre ./scripts/pdf-text.sh pattern',
      'man -P cat ls',
      `cargo --config 'target.aarch64-unknown-linux-gnu.runner="qemu-aarch64"' test`,
      'gcc -wrapper valgrind,-q a.c',
      'bat --pager=less README.md',
      "ssh -o ProxyCommand='nc %h %p' host uptime",
      'ssh-keygen -D /usr/lib/opensc-pkcs11.so',
      'ssh-keygen -t ed25519 -f key -N ""',
      'ssh-add -l',
      'nmap --script=http-title -p 80 localhost',
      'nmap -sV -oN scan.txt localhost',
      'tcpdump -i lo -c 10 -w /tmp/x.pcap',
    ],
  },
  mentions: /--checkpoint-action|--to-command|--use-askpass|--compress-program/,
  maybe: 'may start a program unseen',
  looks: [
    look(actsIn(['shell/hidden-exec']), (found, { facts }) =>
      caughtEffect(found, found.effect.what, facts.home),
    ),
    look(startedByOthers, judge),
  ],
})

function startedByOthers(event: Event, facts: Facts): readonly SimpleCommand[] {
  return commandsIn(event, facts).filter(({ via }) => via.length > 0)
}

/** No options of everyday use: whatever they start that is no packer is odd. */
const RARE =
  /^(?:\w+ (?:--checkpoint-action|--rsh-command|--new-volume-script|--strip-program|--unzip-command|--compress-program)|wget --use-askpass|tcpdump -z|(?:scp|sftp) -S)$/
/** Used every day; only a program that lies where anybody may write is odd. */
const USUAL =
  /^(?:\w+ (?:--to-command|--use-compress-program|--filter|--pre|--hostname-bin|--pager|--html|--preview)|(?:ssh|scp|sftp|rsync) -[oe]|cargo --config|(?:gcc|g\+\+|cc|c\+\+|clang) -wrapper)$/

const ORDINARY =
  /^(?:(?:p|pi|un|g?un)?(?:gzip|bzip2|xz|zstd|lz4|lzma|lzop)|gunzip|pigz|lbzip2|zstdmt|brotli|less|more|cat|bat|echo|printf|true|sed|grep|awk|dd|wc|tee|md5sum|sha\d+sum|ssh|gpg|openssl|unzip|strip|date)$/
const SHELL = /^(?:ba|z|da|k)?sh$/

function judge(command: SimpleCommand, { facts }: GuardInput): Caught | null {
  const how = command.via.at(-1) ?? ''
  const rare = RARE.test(how)
  if (!rare && !USUAL.test(how)) return null
  const place = { ...facts, cwd: command.cwd }
  const script = SHELL.test(command.name ?? '') ? scriptOf(command) : undefined
  const file = script ?? exactText(command.word)
  const odd = file !== undefined && isTemporary(file, place)
  const known = ORDINARY.test(command.name ?? '') || (SHELL.test(command.name ?? '') && script === undefined)
  if (!odd && (!rare || known)) return null
  return {
    caught: `starts ${command.fragment} by an option (${how})`,
    fragment: command.fragment,
    detail: { via: [...command.via] },
  }
}

/** The script a shell is given; code on the line is judged by itself. */
function scriptOf({ args }: SimpleCommand): string | undefined {
  const words = args.map((word) => exactText(word) ?? word.source)
  return words.some((word) => /^-\w*c$/.test(word)) ? undefined : words.find((word) => !/^[-+]/.test(word))
}
