import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { exactForm } from '../../../../shell/words/words.ts'
import { detector, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { caughtDeletion, type Deletion, deletionsIn, selectedName } from './deletions-in.ts'
import { HOME_CACHES, HOME_SETTINGS, isLeftoverName, isOutputName } from './known-folders.ts'
import { treeLoss } from './losses.ts'
import { belowHome, isInProject, isTemporary, type ProtectedRoots } from './protected-paths.ts'
import { type FileTarget, runsOn, spelled } from './targets.ts'

/** Deletion of files that are outside the project and that no tool creates again. */
export const deleteOutside = shellGuard({
  id: 'safety/files/delete-outside',
  title: 'Deleting outside the project',
  why: 'Files outside the project do not belong to this task, and git cannot restore them.',
  instead:
    'delete only inside the project or below /tmp (for example `rm -rf /tmp/build-cache`). Let the user delete anything else.',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'rm -rf ../foo',
      'rm -r ../other-project',
      'rm -rf /opt/tool/data',
      'rm -Rf /some/path',
      'rm -rf ~/code/other',
      'rm -rf "$HOME/projects/old"',
      'rm -rf ~/x ./dist',
      'cd .. && rm -rf sibling',
      'cd "$DIR" && rm -rf uploads',
      'rm -rf "$DATA/uploads"',
      'rm -rf "$WORKSPACE/out"',
      'rm -rf `pwd`/../escape',
      'rm -f ~/Downloads/*.md',
      'rm ~/*.pdf',
      'rm ../notes/*',
      'rm ~/.bashrc',
      'rm -f /var/log/syslog',
      'find ~/.failproof -delete',
      "find ~/Downloads -name '*.zip' -delete",
      'find /opt/app -mtime +7 -exec rm -rf {} +',
      'find ~/code/other -type f | xargs rm -f',
      'rimraf ../sibling',
      'true || rimraf /opt/tool/data',
      'ssh build.example.com "rm -rf /data/uploads"',
      "python3 -c 'import os' && rm -rf /srv/other",
      'watch rm -rf ~/x',
      'tar --remove-files -czf /tmp/a.tgz ../other',
      'rm -rf ~/backups "',
    ],
    passes: [
      'rm -rf dist node_modules',
      'rm -rf ./packages/a/dist',
      'rm -rf /srv/project/tmp',
      'rm -rf /tmp/build-cache /var/tmp/x',
      'rm -rf "$TMPDIR/x"',
      'D=$(mktemp -d); rm -rf "$D"',
      'rm -rf ~/.cache/pip ~/.npm/_cacache',
      'rm -rf ~/code/other/node_modules',
      'rm -rf "$HOME/projects/app/dist"',
      'rm -rf "$BUILD/coverage"',
      'cd "$DIR" && rm -rf node_modules',
      'rm -f ../notes.txt',
      'rm ~/a.txt /opt/app/run.pid',
      'rm -f /opt/app/*.log',
      'rm -rf /var/lib/apt/lists/*',
      'rm -f /var/run/app.pid',
      "find . -name '*.pyc' -delete",
      'find ~ -name .DS_Store -delete',
      "find ~/.cache/x -name '*.tmp' -maxdepth 1 -delete",
      'find ~/code -name node_modules -prune -exec rm -rf {} +',
      'find /tmp -mtime +7 -delete',
      'rm -rf ../x --help',
      'rm "$FILE"',
      'trash ~/Downloads/a.zip',
      'ls ~/Downloads/*.md',
      'docker exec web rm -rf /app/cache',
      'echo rm -rf ../foo',
    ],
  },
  mentions: /^(?=.*\brm\s)(?=.*(~|\.\.|\s\/))/s,
  maybe: 'may delete files outside the project',
  detectors: [detector(deletionsIn, judge)],
})

function judge(deletion: Deletion, { facts }: GuardInput): GuardMatch | null {
  const { effect, targets, ground, found } = deletion
  if (runsOn(found.command) === 'a container') return null
  const many = effect.recursive === true || effect.narrowed === true
  if (effect.narrowed === true && isLeftoverName(selectedName(effect)) && !sweepsHome(deletion)) return null
  return strongest(targets, (target) => {
    // `delete-root` handles protected folders. If only part of a protected folder is deleted, it handles system
    // folders and this guard handles the rest.
    const loss = treeLoss(target, ground)
    if (many && loss !== undefined && (loss.system || effect.narrowed !== true)) return null
    const what = many ? outsideTree(target, ground, effect.narrowed === true) : outsideFiles(target, ground)
    return what === undefined ? null : caughtDeletion(deletion, `deletes ${what}`, target.unsure, facts.home)
  })
}

/** Backup copies that a person made before a change (`*.bak`), anywhere in their home folder. */
function sweepsHome({ effect, targets, ground }: Deletion): boolean {
  const kept = /\.(bak|old|orig|backup|lock|map)$/.test(selectedName(effect))
  return kept && targets.some((target) => target.paths.some((path) => ground.homes.includes(path)))
}

function outsideTree(target: FileTarget, ground: ProtectedRoots, narrowed: boolean): string | undefined {
  const { paths, pattern } = target
  const last = pattern.at(-1)
  if (paths.length === 0) {
    const name = last === undefined ? undefined : exactForm(last)
    return last === undefined || (isOutputName(name ?? '') && !COMMON_WORDS.test(name ?? ''))
      ? undefined
      : `every ${spelled(last)} folder in an unknown place, with everything in it`
  }
  if (pattern.length > 0 && isLeftoverName(spelled(last))) return undefined
  const part = narrowed || pattern.length > 0
  const outside = paths.find((path) => !isFree(part ? `${path}/x` : path, ground))
  if (outside === undefined) return undefined
  return part ? `part of ${outside}` : `${outside} with everything in it`
}

/** Names of build output folders that are also common names for other things. */
const COMMON_WORDS = /^(out|obj|tmp|temp|logs|vendor)$/

/** Created by this task, or by tools that can create it again. */
function isFree(path: string, ground: ProtectedRoots): boolean {
  if (isInProject(path, ground) || isTemporary(path, ground)) return true
  const inHome = belowHome(path, ground)
  if (inHome !== undefined && HOME_CACHES.test(inHome)) return true
  const parts = path.split('/').slice(1)
  return /^\/var\/(cache|lib\/apt\/lists)\//.test(path) || parts.slice(2).some(isOutputName)
}

function outsideFiles({ paths, pattern }: FileTarget, ground: ProtectedRoots): string | undefined {
  const last = pattern.at(-1)
  const outside = paths.find((path) => !isFree(pattern.length > 0 ? `${path}/x` : path, ground))
  if (outside === undefined) return undefined
  if (last !== undefined) {
    if (isLeftoverName(spelled(last))) return undefined
    return `files in ${outside}`
  }
  const inHome = belowHome(outside, ground)
  if (inHome !== undefined && HOME_SETTINGS.test(inHome)) return `personal settings (${outside})`
  return /^\/(private\/)?var\/(?!run\/|lock\/|www\/)/.test(outside)
    ? `a file that belongs to a system program (${outside})`
    : undefined
}
