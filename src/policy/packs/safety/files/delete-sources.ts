import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { isInside } from '../../../../shell/words/paths.ts'
import { mayMatchName } from '../../../../shell/words/patterns.ts'
import { exactText, isWhollyUnknown } from '../../../../shell/words/words.ts'
import { detector, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { caughtDeletion, type Deletion, deletionsIn, selectedName } from './deletions-in.ts'
import { isOutputName, NESTED_SOURCES, SOURCE_ENDINGS, SOURCE_FOLDERS } from './known-folders.ts'
import { isInProject, type ProtectedRoots } from './protected-paths.ts'
import { type FileTarget, isBroad, runsOn } from './targets.ts'

/** Deletion of whole project folders that contain source files. */
export const deleteSources = shellGuard({
  id: 'safety/files/delete-sources',
  title: 'Deleting a source folder',
  why: 'Deleting a whole folder of sources, tests or documents is rarely intended, and uncommitted work in it is lost.',
  instead:
    'delete single files by name (`rm -f one-file.txt`), or use `git rm -r --cached` to remove a folder from the index only. Let the user decide before a whole folder is deleted.',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      "find . -path './src/*' -delete",
      'fd -e ts -X rm',
      'rm -rf src',
      'rm -r ./src',
      'rm -rf ./src/',
      'rm -rf /srv/project/src',
      'rm -rf dist src',
      'rm -rf {src,tests}',
      'rm -rf src/*',
      'rm -rf ./docs ./packages',
      'rm -rf .git',
      'rm -rf .github',
      'rm -rf packages/api/src',
      'rm -rf apps/web/migrations',
      'rm -rf te*',
      'cd src && rm -rf ../lib',
      'ls && rm -rf ./src',
      'rm *',
      'rm -f ./*',
      'rm -f src/*',
      'git ls-files | while read -r f; do rm -f "$f"; done',
      `python3 -c 'import os, glob\nfor f in glob.glob("src/**", recursive=True): os.remove(f)'`,
      'find src -type f -delete',
      'find src -type f -exec rm {} +',
      "find . -name '*.ts' -delete",
      "find . -type f -name '*.py' | xargs rm -f",
      'find . -type d -name .git -exec rm -rf {} +',
      'rimraf src',
      'git ls-files | xargs rm -f',
      'git ls-files -z | xargs -0 rm',
      'ls | xargs rm',
      'fd -e ts | xargs rm',
      "find . -name '*.ts' -print0 | while IFS= read -r -d '' f; do rm \"$f\"; done",
      'true && rimraf lib',
      'rm -rf src "',
    ],
    passes: [
      'rm -rf dist build coverage',
      'rm -rf node_modules package-lock.json',
      'rm -rf src/old-feature',
      'rm -rf src/__pycache__',
      'rm -rf node_modules/x/lib',
      'rm -rf dist/src',
      'rm -rf target/debug/build',
      'rm src/a.ts',
      'rm -f src/*.js',
      'rm -rf src/generated',
      'rm -rf tmp/*',
      'rm *.log',
      'rm -rf *.tmp',
      "find . -name '*.pyc' -delete",
      "find . -name '*.js.map' -delete",
      "find dist -name '*.ts' -delete",
      'find . -name __pycache__ -type d -exec rm -rf {} +',
      'find . -type d -empty -delete',
      'rm -rf /tmp/src',
      'git rm -r --cached src',
      'git ls-files --deleted | xargs rm -f',
      'git ls-files --others --exclude-standard | xargs rm -f',
      'ls *.log | xargs rm',
      'fd -e log | xargs rm',
      'find . -name \'*.bak\' | while read -r f; do rm "$f"; done',
      'find . -type f | while read -r f; do [ -s "$f" ] || rm "$f"; done',
      'ls src',
      'mv src source',
      'rm -rf src --help',
      'echo rm -rf src',
    ],
  },
  mentions: /^(?=.*\brm\s)(?=.*\bsrc\b)/s,
  maybe: 'may delete a source folder',
  detectors: [detector(deletionsIn, judge)],
})

function judge(deletion: Deletion, { facts }: GuardInput): GuardMatch | null {
  const { effect, targets, ground, found } = deletion
  if (runsOn(found.command) !== 'here') return null
  if (isListed(deletion))
    return caughtDeletion(deletion, 'deletes every file in a list that it receives', undefined, facts.home)
  return strongest(targets, (target) => {
    const paths = target.paths.filter((each) => isInProject(each, ground))
    const sources = (path: string) =>
      effect.narrowed === true
        ? selectedSources(deletion, path, ground)
        : effect.recursive === true
          ? sourceTree(target, path, ground)
          : allFiles(target, path, ground)
    const what = paths.map(sources).find((each) => each !== undefined)
    return what === undefined ? null : caughtDeletion(deletion, `deletes ${what}`, target.unsure, facts.home)
  })
}

/** `git ls-files | xargs rm`, `ls | xargs rm`: the single names are unknown, but the list contains all files. */
function isListed({ found: { command }, effect }: Deletion): boolean {
  const input = command.inputs?.at(-1)
  if (input === undefined || !isWhollyUnknown(effect.form)) return false
  if (!/^(?:xargs|while|until)/.test(command.via.at(-1) ?? '')) return false
  const words = input.args.map((word) => exactText(word) ?? '?').join(' ')
  return input.name === 'git'
    ? LISTS_ALL.test(words)
    : input.name === 'ls' && /^(-\w+ ?)*(\.\/?)?$/.test(words)
}

const LISTS_ALL = /^ls-files( -[zct]+| --cached| --full-name)*$/

/** The parts of the path below the project; undefined inside a build output. */
function partsBelow(path: string, ground: ProtectedRoots): readonly string[] | undefined {
  const project = ground.projects.find((each) => isInside(path, each))
  if (project === undefined) return undefined
  const parts = path
    .slice(project.length)
    .split('/')
    .filter((part) => part !== '')
  return parts.some(isOutputName) ? undefined : parts
}

function isSource(parts: readonly string[]): boolean {
  const last = parts.at(-1)
  if (last === undefined) return false
  return parts.length === 1 ? SOURCE_FOLDERS.has(last) : NESTED_SOURCES.has(last)
}

function sourceTree({ pattern }: FileTarget, path: string, ground: ProtectedRoots): string | undefined {
  const parts = partsBelow(path, ground)
  if (parts === undefined) return undefined
  if (pattern.length === 0) return isSource(parts) ? `the folder ${path}` : undefined
  if (isSource(parts) && pattern.every(isBroad)) return `everything in ${path}`
  const [only] = pattern
  if (parts.length > 0 || pattern.length > 1 || only === undefined || isBroad(only)) return undefined
  const matched = [...SOURCE_FOLDERS].find((name) => mayMatchName(only, name))
  return matched === undefined ? undefined : `folders such as ${path}/${matched}, if they exist`
}

/** `rm *` deletes every file in the folder, but no subfolders. */
function allFiles({ pattern }: FileTarget, path: string, ground: ProtectedRoots): string | undefined {
  if (pattern.length === 0 || !pattern.every(isBroad)) return undefined
  const parts = partsBelow(path, ground)
  if (parts === undefined) return undefined
  return isSource(parts) || (parts.length === 0 && pattern.length === 1) ? `every file in ${path}` : undefined
}

/** Files that `find` selects by name in the project or in a source folder. */
function selectedSources({ effect }: Deletion, path: string, ground: ProtectedRoots): string | undefined {
  const parts = partsBelow(path, ground)
  if (parts === undefined || !(parts.length === 0 || isSource(parts))) return undefined
  const name = selectedName(effect)
  if (effect.recursive === true && NESTED_SOURCES.has(name)) return `every folder ${name} in ${path}`
  return SOURCE_ENDINGS.test(name) ? `every file ${name} in ${path}` : undefined
}
