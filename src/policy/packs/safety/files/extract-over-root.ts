import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { programOf } from '../../../../shell/programs/index.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText } from '../../../../shell/words/words.ts'
import { caughtEffect } from '../../../analysis/effects-of.ts'
import { actsIn, detector, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { changesIn, type FileChangeTarget } from './changes-in.ts'
import { isInProject, isSystemTree } from './protected-paths.ts'
import { groundOf, runsOn } from './targets.ts'

/** Unpacking an archive, or copying a folder tree, over system folders. */
export const extractOverRoot = shellGuard({
  id: 'safety/files/extract-over-root',
  title: 'Unpacking over the system',
  why: 'Every file in the archive replaces the system file with the same name, and the command does not show which ones.',
  instead: 'unpack into a separate folder and check the contents there (`tar -xzf a.tgz -C /tmp/unpacked`).',
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
  detectors: [
    detector(changesIn, judge),
    detector(actsIn(['files/extract-absolute']), (found, { facts }) =>
      caughtEffect(found, found.effect.what, facts.home),
    ),
  ],
})

const COPIERS = new Set(['cp', 'ditto'])

function judge(change: FileChangeTarget, { facts }: GuardInput): GuardMatch | null {
  const { command } = change
  if (command === undefined || !change.recursive || runsOn(command) === 'a container') return null
  const unpacks = programOf(command.name)?.unpacks === true
  if (!unpacks && !COPIERS.has(command.name ?? '')) return null
  const ground = groundOf(facts, command)
  return strongest(change.targets, ({ paths, pattern, unsure }) => {
    const programs = unpacks && !namesMembers(command) ? paths.find((each) => PROGRAMS.test(each)) : undefined
    if (programs !== undefined)
      return change.caught(
        `puts everything in the archive into the program folder ${programs}`,
        'which programs it replaces is known only at run time',
      )
    const path = paths.find((each) => isSystemRoot(each, pattern.length > 0) && !isInProject(each, ground))
    return path === undefined ? null : change.caught(`puts a whole folder tree over ${path}`, unsure)
  })
}

/** Folders where shells look for programs, and where users install their own. */
const PROGRAMS = /^\/usr\/local\/s?bin$/
const VALUES = /^-?[a-zA-Z]*[fCd]$|^--(?:file|directory|strip-components|strip|exclude|transform)$/

/** `tar -xzf a.tgz -C /usr/local/bin kubectl`: the command names the files it unpacks. */
function namesMembers({ name, args }: SimpleCommand): boolean {
  const words = args.map((word) => exactText(word) ?? word.source)
  const members = words.filter(
    (word, at) => !word.startsWith('-') && !VALUES.test(words[at - 1] ?? '') && (at > 0 || name !== 'tar'),
  )
  return name === 'tar' ? members.length > 0 : members.length > 1
}

/** `/usr/local` and `/opt` are meant for such files. */
function isSystemRoot(path: string, hasPattern: boolean): boolean {
  if (path === '/') return true
  return !hasPattern && isSystemTree(path) && !/^\/(usr\/local|var)(\/|$)/.test(path)
}
