import { isObject, type Json } from '../../core/json.ts'
import { isIn, oncePerText } from '../../core/once-per-text.ts'
import { wordSet } from '../../core/word-list.ts'
import { baseName } from '../../shell/words/paths.ts'
import {
  commandsInText,
  composeCommands,
  type Family,
  type FamilyHow,
  familiesOf,
  isMentioned,
  scriptCommands,
} from './language-families.ts'

/**
 * Files that a program runs although no command names them: hooks of git, configuration that is code, tasks in a file
 * of their own format. What they run is judged as if the command had started them.
 */
export interface ImpliedRun {
  readonly path: string
  readonly by: string
  /** The commands in the file, where its format is not one that a program of its own reads. */
  readonly script?: string
}

/** A runner of the file by name, or how commands are found in it. */
type How = FamilyHow | 'notebook'

const GIT_HOOKS = wordSet(`
  applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit
  pre-rebase post-checkout post-merge pre-push pre-auto-gc post-rewrite reference-transaction post-index-change
  sendemail-validate push-to-checkout
`)
const GIT_ACTS =
  /\bgit\b[^\n;|&]*\s(?:commit|merge|pull|push|rebase|checkout|switch|am|cherry-pick|revert|gc|worktree|reset|stash|tag|branch|fetch|add|rm|mv|restore|send-email)\b|\b(?:husky|lefthook)\b/

const RUNS: readonly (readonly [file: RegExp, program: RegExp, how: How])[] = [
  [/^(?:test_\w*|\w*_test|conftest)\.py$/, /\b(?:pytest|py\.test|unittest|tox|nox)\b/, 'python3'],
  [
    /[._](?:test|spec)\.[cm]?[jt]sx?$/,
    /\b(?:vitest|jest|mocha|ava|tap)\b|--test\b|\b(?:npm|pnpm|yarn|bun)\b/,
    'node',
  ],
  [/^(?:site|user)customize\.py$/, /\bpython[\d.]*\b|\bpip\b/, 'python3'],
  [/^setup\.py$/, /\bpip[\d.]*\s+(?:install|wheel)\b|\b(?:poetry|uv|pdm|hatch)\b|-m\s+build\b/, 'python3'],
  [/^noxfile\.py$/, /\bnox\b/, 'python3'],
  [/^Gemfile$|\.gemspec$/, /\b(?:bundle|bundler|gem)\b/, 'ruby'],
  [/^[rR]akefile(?:\.rb)?$|\.rake$/, /\brake\b/, 'lines'],
  [/^\.envrc$/, /\bdirenv\b/, 'sh'],
  [/^[tT]askfile(?:\.dist)?\.ya?ml$/, /\b(?:task|go-task)\b/, 'lines'],
  [/^(?:tox|pytest)\.ini$|^setup\.cfg$|^pyproject\.toml$/, /\b(?:tox|poe|pdm|hatch|rye)\b/, 'lines'],
  [
    /^\.?lefthook(?:-local)?\.ya?ml$|^\.pre-commit-config\.ya?ml$/,
    /\b(?:pre-commit|lefthook)\b|\bgit\b[^\n;|&]*\b(?:commit|push)\b/,
    'lines',
  ],
  [
    /^(?:mise|\.mise)(?:\.local)?\.toml$|^Makefile\.toml$|^\.?gitconfig$|\.gitconfig$/,
    /\b(?:mise|git|cargo[ -]make|makers)\b/,
    'lines',
  ],
  [/\.conf$/, /\btmux\b/, 'lines'],
  [/^deno\.jsonc?$/, /\bdeno\b/, 'json'],
  [/^composer\.json$/, /\bcomposer\b/, 'json'],
  [/^package\.json$/, /\bnode\b[^\n;|&]*--run\b/, 'json'],
  [/\.ipynb$/, /\b(?:jupyter|papermill|nbconvert|ipython|nbclient|marimo)\b/, 'notebook'],
]

/** `vite.config.ts` is code, and vite runs it; so does a script of the project. */
const CONFIG = /^\.?([a-z]+)(?:\.config|rc)\.[cm]?[jt]s$/

/** How the command would run the file at this path; undefined if it does not. */
export function impliedRun(path: string, command: string): How | undefined {
  return runnerIn(command, path, runnersOf(path))?.how
}

export type ImpliedRunner = Pick<Family, 'programs' | 'mentioned'> & { readonly how: How }

/** The first of these runners that the command starts. */
export function runnerIn(
  command: string,
  path: string,
  runners: readonly ImpliedRunner[],
): ImpliedRunner | undefined {
  return runners.find(
    ({ programs, mentioned }) =>
      isIn(command, programs) && (mentioned !== true || isMentioned(path, command)),
  )
}

/** What may run the file at this path. */
export const runnersOf = oncePerText((path): readonly ImpliedRunner[] => {
  const name = baseName(path)
  if (GIT_HOOKS.has(name)) return [{ programs: GIT_ACTS, how: 'sh' }]
  const tool = CONFIG.exec(name)?.[1]
  return [
    ...(tool === undefined ? [] : [{ programs: new RegExp(`\\b${tool}\\b`), how: 'node' } as const]),
    ...RUNS.flatMap(([file, programs, how]) => (file.test(name) ? [{ programs, how }] : [])),
    ...familiesOf(path),
  ]
})

/** The command that stands for it, and the script it runs. */
export function impliedScript(path: string, how: How, text: string, command: string): ImpliedRun {
  const script = (lines: readonly string[]): ImpliedRun => ({
    ...{ path: `${path}#commands`, by: 'sh' },
    script: lines.join('\n'),
  })
  if (how === 'scripts') return script(scriptCommands(text, command))
  if (how === 'compose') return script(composeCommands(text))
  if (how === 'lines' || how === 'json' || how === 'notebook') return script(commandsIn(how, text))
  const [, program = ''] = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(?:\S*\/)?(\w+)/.exec(text) ?? []
  if (how === 'sh') return { path, by: /^(?:python3?|node|ruby|perl)$/.test(program) ? program : 'sh' }
  const runner = RUNNERS[how]
  if (runner !== undefined) return { path, by: runner }
  // Read as test runners are: such code deletes what it made, by names that are known only at run time.
  return { path, by: how === 'python3' ? 'pytest' : how === 'node' ? 'npx vitest run' : how }
}

/** What reads the file, where that is not the name itself. */
const RUNNERS: Partial<Readonly<Record<How, string>>> = { awk: 'awk -f', sed: 'sed -f', cmd: 'cmd /c' }

function commandsIn(how: How, text: string): readonly string[] {
  if (how === 'lines') return [...text.split(/\r?\n/).flatMap(lineCommands), ...commandsInText(text)]
  const value = jsonIn(text)
  const texts = value === undefined ? text.split(/\r?\n/).flatMap(lineCommands) : textsIn(value, 0)
  if (how === 'json') return texts
  // A cell is Python, with lines for the shell between.
  const lines = texts.flatMap((each) => each.split('\n'))
  const shell = lines
    .filter((line) => /^\s*[!%]/.test(line))
    .map((line) => line.replace(/^\s*(?:!+|%sx|%system)\s*/, ''))
  const cells = texts
    .filter((each) => /^%%(?:bash|sh|script|!)/.test(each))
    .map((each) => each.replace(/^[^\n]*\n/, ''))
  const code = lines.filter((line) => !/^\s*[!%]/.test(line)).join('\n')
  return [
    ...shell.filter((line) => !line.startsWith('%')),
    ...cells,
    `python3 - <<'END OF CELLS'\n${code}\nEND OF CELLS`,
  ]
}

const CALLED =
  /(?:\b(?:sh|run-shell|system|exec|execute|run|shell|spawn|cmd|popen)\b|=\s*!)\s*\(?\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^"'\s(][^\n]*))/gi

/** What stands after a dash or a key, and what is given to a call. */
function lineCommands(line: string): readonly string[] {
  if (/^\s*(?:#|$)/.test(line)) return []
  const called = [...line.matchAll(CALLED)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
  const value = line
    .trim()
    .replace(/^-\s+/, '')
    .replace(/^["']?[\w.-]+["']?\s*[:=]\s*/, '')
  return [...called, value.replace(/^(["'])(.*)\1,?$/, '$2')].filter((each) => /^[\w./~$!-]/.test(each))
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const DEPTH_MAX = 8

function textsIn(value: Json, depth: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (depth > DEPTH_MAX) return []
  // The lines of a cell are a list.
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [value.join('')]
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsIn(each, depth + 1))
  return isObject(value) ? Object.values(value).flatMap((each) => textsIn(each, depth + 1)) : []
}
