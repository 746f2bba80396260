import type { EventExample, GuardInput, GuardMatch } from '../../../core/guard.ts'
import { readOptions } from '../../../shell/arguments/options.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { isInside, resolvePath } from '../../../shell/words/paths.ts'
import { exactText, type Word } from '../../../shell/words/words.ts'
import { commandsOf, detector, shellGuard } from '../shell-guard.ts'
import { installedFiles } from './installed.ts'

/**
 * Commands that put away or delete every file git does not track, among them the hooks of this checkout. Nobody who
 * types them thinks of the hooks. Where hooks are installed for the user there is nothing to lose, and nothing is said,
 * unless the person's own settings are the checkout.
 */
export const sweptHooks = shellGuard({
  id: 'self/swept-hooks',
  title: 'Putting the hooks of this checkout away',
  why: 'The settings with the hooks are files that git does not track, so this removes them, and calls are no longer checked.',
  instead:
    'leave the untracked files where they are (`git stash`), or name the files you mean. A person can run holdpoint init --scope user once; then no checkout holds the hooks.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      local('git stash --all'),
      local('git stash -a'),
      local('git stash -u'),
      local('git stash --include-untracked'),
      local('git stash push -u -m wip'),
      local('git stash push --all'),
      local('git stash save -u wip'),
      local('git stash -qu'),
      local('git -C /srv/project stash -u'),
      local('cd src && git stash -u'),
      local('git clean -fdx'),
      local('git clean -fd'),
      local('git clean -xf .'),
      local('git clean --force -d'),
      local('git stash push -u -- .'),
      local('git stash push -u .claude'),
      local('git stash "$OPTION"'),
      local('cd ~ && git stash -u'),
      local('git -C ~/.codex stash'),
      local('cd ~/.codex && git add -A && git stash'),
      local('cd ~/.codex && git reset --hard'),
      local('cd ~/.codex && git checkout main'),
      local('cd ~ && git clean -fd'),
    ],
    passes: [
      local('git stash'),
      local('git stash push -m wip'),
      local('git stash pop'),
      local('git stash list'),
      local('git stash show -u'),
      local('git stash push -u src'),
      local('git clean -n -fdx'),
      local('git clean --dry-run -d -f'),
      local('git clean -fdx dist'),
      local('git clean -fd -- build'),
      local("git clean -fdx -e '.claude'"),
      local('git -C /srv/other stash -u'),
      local('git commit -m "git stash -u"'),
      local('cd ~/work && git stash'),
      local('cd ~/.codex && git status'),
      local('git reset --hard'),
      local('git checkout main'),
      'git stash --all',
      'git stash -u',
      'git clean -fdx',
    ],
  },
  mentions: /\bgit\b/,
  maybe: 'may put the hooks of this checkout away',
  detectors: [detector(commandsOf(new Set(['git'])), judge)],
})

const GIT = 'C= c= git-dir= work-tree= namespace= no-pager p|paginate bare'
const STASH = 'u|include-untracked a|all k|keep-index q|quiet m|message= p|patch S|staged'
const CLEAN = 'f|force d x X n|dry-run i|interactive q|quiet e|exclude='

function judge(command: SimpleCommand, { facts, options }: GuardInput): GuardMatch | null {
  const files = installedFiles(options) ?? []
  if (files.length === 0) return null
  const git = readOptions(command.args, GIT, { stopAtOperand: true })
  const [verb, ...rest] = git.operands
  const moved = git.options.find(({ name }) => name === 'C')?.value
  const cwd =
    moved === undefined ? command.cwd : resolvePath(exactText(moved) ?? '', { ...facts, cwd: command.cwd })
  const isTheirs = files.some(({ scope, file }) => scope === 'user' && isHolding(file, cwd, facts.home))
  const swept = sweptBy(exactText(verb) ?? '', rest, isTheirs)
  if (swept === undefined) return null
  const roots = swept.paths.length === 0 ? [undefined] : swept.paths
  const lost = files
    .filter(({ scope, file }) => scope !== 'user' || isHolding(file, cwd, facts.home))
    .find(({ file }) =>
      roots.some((path) => isSwept(file, path === undefined ? undefined : exactText(path), cwd, facts)),
    )
  if (lost === undefined) return null
  const doubt = swept.unsure === undefined ? {} : { unsure: swept.unsure }
  return { caught: `takes ${lost.file} away`, fragment: command.fragment, ...doubt }
}

/** People keep their settings in a repository: then it is their home, or the agent's own folder. */
function isHolding(file: string, cwd: string | undefined, home: string): boolean {
  return cwd !== undefined && (cwd === home || isInside(cwd, file.slice(0, file.lastIndexOf('/'))))
}

interface Swept {
  /** What it is limited to; empty: the whole checkout. */
  readonly paths: readonly Word[]
  readonly unsure?: string
}

/** `tracked`: files that git knows are lost too, because settings stand there beside what was committed. */
function sweptBy(verb: string, args: readonly Word[], tracked: boolean): Swept | undefined {
  if (
    tracked &&
    verb === 'reset' &&
    args.some((word) => /^--(?:hard|merge|keep)$/.test(exactText(word) ?? ''))
  )
    return { paths: [] }
  if (tracked && /^(?:checkout|switch|pull|merge|rebase|read-tree|checkout-index|am|apply)$/.test(verb))
    return { paths: [], unsure: 'which files it replaces there is not known here' }
  if (verb === 'clean') return sweptByClean(args)
  if (verb !== 'stash') return undefined
  const [first] = args
  const action = exactText(first)
  if (first !== undefined && action === undefined) {
    return { paths: [], unsure: `what ${first.source} is, is known only at run time` }
  }
  const isPush = action === undefined || action === 'push' || action === 'save' || action.startsWith('-')
  if (!isPush) return undefined
  const { options, operands } = readOptions(args, STASH)
  const isMore = options.some(({ name }) => name === 'include-untracked' || name === 'all')
  if (!isMore && !tracked) return undefined
  return { paths: action === 'push' ? operands.slice(1) : [] }
}

function sweptByClean(args: readonly Word[]): Swept | undefined {
  const { options, operands } = readOptions(args, CLEAN)
  const has = (name: string) => options.some((option) => option.name === name)
  const spares = options.some(
    ({ name, value }) => name === 'exclude' && /\.claude|\.codex|settings/.test(exactText(value) ?? ''),
  )
  return has('force') && !has('dry-run') && !spares ? { paths: operands } : undefined
}

/** Is the file in the checkout that is swept, and in the part of it that is named? */
function isSwept(
  file: string,
  path: string | undefined,
  cwd: string | undefined,
  { project, home }: GuardInput['facts'],
): boolean {
  const checkout = file.slice(0, Math.max(0, file.lastIndexOf('/', file.lastIndexOf('/') - 1)))
  const where = cwd ?? project
  if (!isInside(where, checkout)) return false
  if (path === undefined) return true
  const named = resolvePath(path, { cwd: where, home })
  return named === undefined || isInside(file, named)
}

function local(command: string): EventExample {
  const installs = [
    { host: 'claude-code', scope: 'local', file: '/srv/project/.claude/settings.local.json' },
    { host: 'codex', scope: 'user', file: '/home/dev/.codex/hooks.json' },
  ]
  return { kind: 'PreToolUse', fields: { tool: { name: 'Bash', input: { command } } }, options: { installs } }
}
