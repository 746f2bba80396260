import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { detector, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { changesIn, type FileChangeTarget } from './changes-in.ts'
import { treeLoss } from './losses.ts'
import { isInProject, type ProtectedRoots } from './protected-paths.ts'
import { groundOf, isBroad, runsOn } from './targets.ts'

/** Moving a protected file or folder, or moving anything to the null device. */
export const moveAway = shellGuard({
  id: 'safety/files/move-away',
  title: 'Moving a protected folder',
  why: 'Programs no longer find the files in the old place, as if they were deleted. The machine may not start again.',
  instead: 'copy what you need (`cp -r config /tmp/config-copy`) and leave the original in place.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'mv /* /tmp',
      'mv --target-directory /tmp /*',
      'mv -t /tmp /etc',
      'mv ~ /tmp/home',
      'mv "$HOME" /backup/home',
      'mv ~/* /backup/',
      'mv /etc /etc.bak',
      'mv /usr/bin/python3 /tmp/',
      'mv /srv/project /srv/old',
      'mv . ../old',
      'mv ~/.ssh /tmp/ssh',
      'mv ~/Documents /mnt/usb/',
      'mv notes.txt /dev/null',
      'mv -f src /dev/null',
      'cd / && mv * /tmp/x',
      'trash ~',
      'mv ./* /tmp/',
      'gio trash ~/Documents',
      'find / -maxdepth 1 -exec mv {} /tmp/ +',
      'mv /* /tmp "',
      `osascript -e 'tell application "Finder" to delete folder "Documents" of home'`,
    ],
    passes: [
      'mv a.txt b.txt',
      'mv src/a.ts src/b.ts',
      'mv src lib',
      'mv project/* /tmp',
      'ls *.tmp | xargs -I{} mv {} /tmp/',
      'mv *.tgz ~/Downloads/',
      'mv * app/',
      'mv ~/Downloads/a.zip .',
      'mv /tmp/x/* .',
      'mv dist /tmp/dist-old',
      'for f in a b; do mv "$f" d/; done',
      'mv --help',
      'trash old-notes.txt',
      'cp -r /etc /tmp/etc-copy',
      'git mv a b',
      'rsync -a ~/ /backup/',
      'echo x > /dev/null',
      'mv "$FILE" archive/',
      `osascript -e 'tell application "Finder" to activate'`,
    ],
  },
  mentions: /^(?=.*\bmv\s)(?=.*(\s\/|~))/s,
  maybe: 'may move a protected folder',
  detectors: [detector(changesIn, judge)],
})

const MOVERS = new Set(['mv', 'trash', 'trash-put', 'gio'])

function judge(change: FileChangeTarget, { event, facts }: GuardInput): GuardMatch | null {
  const { command, targets } = change
  if (command === undefined || !MOVERS.has(command.name ?? 'mv') || runsOn(command) === 'a container')
    return null
  if (!change.recursive) {
    const lost = command.name === 'mv' && targets.some(({ paths }) => paths.includes('/dev/null'))
    return lost ? change.caught('moves files to /dev/null, where they are lost', undefined) : null
  }
  const ground = groundOf(facts, command)
  return strongest(targets, (target) => {
    // Moving everything in the project into one of its own folders is a normal way to restructure a project.
    const own = target.pattern.length > 0 && target.paths.some((path) => ground.projects.includes(path))
    if (
      own &&
      target.pattern.every(isBroad) &&
      changesIn(event, facts).some((each) => each.command === command && isOutside(each, ground))
    ) {
      return change.caught('moves everything out of the project', target.unsure)
    }
    const loss = own || target.paths.length === 0 ? undefined : treeLoss(target, ground)
    return loss === undefined ? null : change.caught(`moves ${loss.what} away`, loss.unsure)
  })
}

function isOutside({ recursive, targets }: FileChangeTarget, ground: ProtectedRoots): boolean {
  return !recursive && targets.some(({ paths }) => paths.some((path) => !isInProject(path, ground)))
}
