import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText } from '../../../../shell/words/words.ts'
import { caughtEffect } from '../../../analysis/effects-of.ts'
import { inCommand, STARTED } from '../../../analysis/topics.ts'
import { actsIn, commandsIn, detector, onTopics, shellGuard } from '../../shell-guard.ts'
import { isTemporaryEntry } from './loading-values.ts'

/**
 * Programs with another purpose that start the program named in an option. Git settings are handled by
 * `safety/git/config-exec`.
 */
export const hiddenExec = shellGuard({
  id: 'safety/shell/hidden-exec',
  title: 'Program started through an option of another program',
  why: 'The program runs as part of a command that looks harmless, so it is easy to overlook.',
  instead:
    'run the program directly, so that it can be checked, or leave the option out (`tar cf a.tar src`).',
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
  maybe: 'may start a hidden program',
  detectors: [
    detector(actsIn(['shell/hidden-exec']), (found, { facts }) =>
      caughtEffect(found, found.effect.what, facts.home),
    ),
    detector(onTopics([inCommand(STARTED)], startedByOthers), judge),
  ],
})

function startedByOthers(event: Event, facts: Facts): readonly SimpleCommand[] {
  return commandsIn(event, facts).filter(({ via }) => via.length > 0)
}

/** Rarely used options: anything they start that is not a compression program is unusual. */
const RARE =
  /^(?:\w+ (?:--checkpoint-action|--rsh-command|--new-volume-script|--strip-program|--unzip-command|--compress-program)|wget --use-askpass|tcpdump -z|(?:scp|sftp) -S)$/
/** Often used options: only a program in a folder that every user can write to is unusual. */
const USUAL =
  /^(?:\w+ (?:--to-command|--use-compress-program|--filter|--pre|--hostname-bin|--pager|--html|--preview)|(?:ssh|scp|sftp|rsync) -[oe]|cargo --config|(?:gcc|g\+\+|cc|c\+\+|clang) -wrapper)$/

const ORDINARY =
  /^(?:(?:p|pi|un|g?un)?(?:gzip|bzip2|xz|zstd|lz4|lzma|lzop)|gunzip|pigz|lbzip2|zstdmt|brotli|less|more|cat|bat|echo|printf|true|sed|grep|awk|dd|wc|tee|md5sum|sha\d+sum|ssh|gpg|openssl|unzip|strip|date)$/
const SHELL = /^(?:ba|z|da|k)?sh$/

function judge(command: SimpleCommand, { facts }: GuardInput): GuardMatch | null {
  const how = command.via.at(-1) ?? ''
  const rare = RARE.test(how)
  if (!rare && !USUAL.test(how)) return null
  const place = { ...facts, cwd: command.cwd }
  const script = SHELL.test(command.name ?? '') ? scriptOf(command) : undefined
  const file = script ?? exactText(command.word)
  const odd = file !== undefined && isTemporaryEntry(file, place)
  const known = ORDINARY.test(command.name ?? '') || (SHELL.test(command.name ?? '') && script === undefined)
  if (!odd && (!rare || known)) return null
  return {
    caught: `starts ${command.fragment} through an option (${how})`,
    fragment: command.fragment,
    detail: { via: [...command.via] },
  }
}

/** The script that a shell runs. Code on the command line is judged separately. */
function scriptOf({ args }: SimpleCommand): string | undefined {
  const words = args.map((word) => exactText(word) ?? word.source)
  return words.some((word) => /^-\w*c$/.test(word)) ? undefined : words.find((word) => !/^[-+]/.test(word))
}
