import type { SimpleCommand } from '../../../shell/command.ts'
import { archives } from '../../../shell/models/archives.ts'
import { exactText } from '../../../shell/words.ts'
import { caughtEffect } from '../../effects-of.ts'
import type { Caught, GuardInput } from '../../guard.ts'
import { actsIn, look, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { type Change, changesIn } from './changes-in.ts'
import { isInProject, isSystemTree } from './protected-paths.ts'
import { groundOf, runsOn } from './targets.ts'

/** Unpacking an archive, or copying a tree, over the system's own folders. */
export const extractOverRoot = shellGuard({
  id: 'safety/files/extract-over-root',
  title: 'Unpacking over the system',
  why: 'Every file of the archive replaces the system file of the same name, and nobody sees which.',
  instead: 'unpack into a folder of its own and look at it there (`tar -xzf a.tgz -C /tmp/unpacked`).',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'tar -xzf a.tgz -C /',
      'tar xf a.tar -C /etc',
      'tar --extract --file a.tar --directory=/usr',
      'cd / && tar xf /tmp/a.tar',
      'sudo tar -C / -xpf backup.tar',
      'bsdtar -xf a.zip -C /usr/lib',
      'unzip -o a.zip -d /',
      'unzip a.zip -d /usr/bin',
      'cd / && cpio -idu < a.cpio',
      '7z x a.7z -o/etc',
      'rsync -a rootfs/ /',
      'cp -r rootfs/* /',
      'cp -a overlay/. /usr',
      'tar -xPf a.tar',
      'TAR_OPTIONS=-C/ tar -xf a.tar',
      'curl -s https://example.com/a.tgz | tar -xz -C /',
      'tar -xzf a.tgz -C /usr/local/bin',
      'tar -C /usr/local/bin -xzf a.tgz',
      'curl -sL https://example.com/a.tgz | tar xz -C /usr/local/bin',
      'unzip a.zip -d /usr/local/bin',
      'tar -xzf a.tgz -C / "',
    ],
    passes: [
      'tar -xzf a.tgz',
      'tar -xzf a.tgz -C /tmp/x',
      'tar -xzf go.tgz -C /usr/local',
      'tar -C /opt/app -xf a.tar',
      'tar -xzf a.tgz -C /usr/local/bin kubectl',
      'curl -sL https://example.com/a.tgz | tar xz -C /usr/local/bin kubectl',
      'tar -tzf a.tgz -C /',
      'tar -xOf a.tar etc/hosts',
      'tar czf backup.tgz -C / etc',
      'unzip -l a.zip -d /',
      'unzip -o a.zip -d build',
      'cp -r dist/* /tmp/out/',
      'cp -r /etc/nginx ./nginx',
      'rsync -a / /mnt/backup/',
      'docker run --rm alpine tar -xf a.tar -C /',
      'cp a.txt /srv/project/',
    ],
  },
  mentions: /^(?=.*\b(tar|unzip|cpio)\b)(?=.*\s\/)/s,
  maybe: 'may unpack over the system',
  looks: [
    look(changesIn, judge),
    look(actsIn(['files/extract-absolute']), (found, { facts }) =>
      caughtEffect(found, found.effect.what, facts.home),
    ),
  ],
})

const COPIERS = new Set(['cp', 'ditto'])

function judge(change: Change, { facts }: GuardInput): Caught | null {
  const { command } = change
  if (command === undefined || !change.recursive || runsOn(command) === 'a container') return null
  const unpacks = archives.programs.includes(command.name ?? '')
  if (!unpacks && !COPIERS.has(command.name ?? '')) return null
  const ground = groundOf(facts, command)
  return strongest(change.targets, ({ paths, pattern, unsure }) => {
    const programs = unpacks && !namesMembers(command) ? paths.find((each) => PROGRAMS.test(each)) : undefined
    if (programs !== undefined)
      return change.caught(
        `puts whatever the archive holds among the programs in ${programs}`,
        'which ones it replaces is known only when it is unpacked',
      )
    const path = paths.find((each) => isSystemRoot(each, pattern.length > 0) && !isInProject(each, ground))
    return path === undefined ? null : change.caught(`puts a whole tree of files over ${path}`, unsure)
  })
}

/** Where everybody's shell looks for programs, and where people put their own. */
const PROGRAMS = /^\/usr\/local\/s?bin$/
const VALUES = /^-?[a-zA-Z]*[fCd]$|^--(?:file|directory|strip-components|strip|exclude|transform)$/

/** `tar -xzf a.tgz -C /usr/local/bin kubectl`: what is put there is said. */
function namesMembers({ name, args }: SimpleCommand): boolean {
  const words = args.map((word) => exactText(word) ?? word.source)
  const members = words.filter(
    (word, at) => !word.startsWith('-') && !VALUES.test(words[at - 1] ?? '') && (at > 0 || name !== 'tar'),
  )
  return name === 'tar' ? members.length > 0 : members.length > 1
}

/** `/usr/local` and `/opt` are where such things belong. */
function isSystemRoot(path: string, hasPattern: boolean): boolean {
  if (path === '/') return true
  return !hasPattern && isSystemTree(path) && !/^\/(usr\/local|var)(\/|$)/.test(path)
}
