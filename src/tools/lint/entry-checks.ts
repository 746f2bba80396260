import type { HandlerSpec } from '../../core/hook.ts'
import type { Json } from '../../core/json.ts'
import type { HookEntry } from '../../core/layer.ts'
import { handlerKind, startedLine } from '../../handlers/kind-of.ts'
import type { DiskFacts, LintFinding, Severity } from './check.ts'
import { asksAboutFiles } from './model-gates.ts'
import { scriptOf } from './script.ts'

/**
 * One mistake that an entry of `config.yaml` can have, beyond what its reader reports. The examples are its tests,
 * and part of docs/reference/lint.md.
 */
export interface EntryCheck {
  readonly id: string
  readonly severity: Severity
  readonly title: string
  readonly why: string
  readonly instead: string
  readonly bad: EntryExample
  readonly good: EntryExample
  /** What is wrong with the entry, in one sentence. */
  find(entry: HookEntry, look: DiskFacts): string | undefined
}

/** A `config.yaml` without its first line, and the files it names, by path from the project. */
export interface EntryExample {
  readonly config: string
  readonly scripts?: Readonly<Record<string, string>>
}

const hook = (fields: string) => `hooks:\n  PreToolUse:\n    - { id: guard, match: Bash, ${fields} }\n`

export const ENTRY_CHECKS: readonly EntryCheck[] = [
  {
    id: 'hook-script-missing',
    severity: 'error',
    title: 'A hook of config.yaml whose script does not exist',
    why: 'The hook cannot start, so it fails every time, and its `onFailure` decides.',
    instead: 'Correct the path, or remove the hook. Paths start at the project.',
    bad: { config: hook('run: ./gone.sh, onFailure: deny') },
    good: {
      config: hook('run: ./guard.sh, onFailure: deny'),
      scripts: { 'guard.sh': '#!/bin/sh\nexit 2\n' },
    },
    find: (entry, look) => {
      const script = scriptIn(entry, look)
      return script !== undefined && look.script(script.path) === undefined
        ? `${script.path.slice(0, 200)} does not exist.`
        : undefined
    },
  },
  {
    id: 'hook-script-not-executable',
    severity: 'error',
    title: 'A hook of config.yaml whose script is not executable',
    why: 'The hook cannot start, so it fails every time, and its `onFailure` decides.',
    instead: 'Run `chmod +x` on it, or start it with its interpreter: `run: sh guard.sh`.',
    bad: { config: hook('run: ./guard.sh, onFailure: deny'), scripts: { 'guard.sh': 'exit 2\n' } },
    good: { config: hook('run: sh ./guard.sh, onFailure: deny'), scripts: { 'guard.sh': 'exit 2\n' } },
    find: (entry, look) => {
      const script = scriptIn(entry, look)
      return script?.isProgram === true && look.script(script.path)?.isExecutable === false
        ? `${script.path.slice(0, 200)} is not executable.`
        : undefined
    },
  },
  {
    id: 'module-missing',
    severity: 'error',
    title: 'A module that does not exist',
    why: 'The hook cannot be loaded, so it fails every time, and its `onFailure` decides.',
    instead: 'Correct the path. Paths start at the project.',
    bad: { config: hook('run: ./gone.ts, onFailure: deny') },
    good: {
      config: hook('run: ./policy.ts, onFailure: deny'),
      scripts: { 'policy.ts': 'export default () => null\n' },
    },
    find: (entry, look) => {
      const path = modulePath(entry)
      return path !== undefined && look.script(path) === undefined ? `${path} does not exist.` : undefined
    },
  },
  {
    id: 'module-syntax',
    severity: 'error',
    title: 'A module that does not load',
    why: 'The file has a syntax error, so the hook fails every time, and its `onFailure` decides.',
    instead: 'Correct the file.',
    bad: {
      config: hook('run: ./policy.mjs, onFailure: deny'),
      scripts: { 'policy.mjs': 'export default (=> null\n' },
    },
    good: {
      config: hook('run: ./policy.mjs, onFailure: deny'),
      scripts: { 'policy.mjs': 'export default () => null\n' },
    },
    find: (entry, look) => {
      const path = modulePath(entry)
      const error = path === undefined ? undefined : look.syntaxError?.(path)
      return error === undefined ? undefined : `${path}: ${error}`
    },
  },
  {
    id: 'module-exports-nothing',
    severity: 'error',
    title: 'A module that does not export what the hook names',
    why: 'There is no function to call, so the hook fails every time, and its `onFailure` decides.',
    instead:
      'Write `export default defineHook({ ... })`, or name the right export: `{ module: ./policy.ts, export: guard }`.',
    bad: {
      config: hook('run: ./policy.ts, onFailure: deny'),
      scripts: { 'policy.ts': 'function guard() { return null }\n' },
    },
    good: {
      config: hook('run: { module: ./policy.ts, export: guard }, onFailure: deny'),
      scripts: { 'policy.ts': 'export function guard() { return null }\n' },
    },
    find: (entry, look) => {
      const path = modulePath(entry)
      const text = path === undefined ? '' : (look.script(path)?.text ?? '')
      if (text === '') return undefined
      const name = typeof entry.run.export === 'string' ? entry.run.export : 'default'
      return exportsName(text, name) ? undefined : `${path} has no export \`${name}\`.`
    },
  },
  {
    id: 'hook-timeout-seconds',
    severity: 'warning',
    title: 'A timeout in seconds',
    why: '`timeoutMs` is in milliseconds. Most programs cannot even start in this time, so the hook times out.',
    instead: 'Write milliseconds: `timeoutMs: 5000`.',
    bad: { config: hook('run: ["x"], timeoutMs: 5').replace('["x"]', 'jq .') },
    good: { config: hook('run: jq ., timeoutMs: 5000, onFailure: deny') },
    find: ({ run, timeoutMs }) =>
      isHook(run) && timeoutMs !== undefined && timeoutMs < 100
        ? `\`${timeoutMs}\` is ${timeoutMs} milliseconds.`
        : undefined,
  },
  {
    id: 'no-on-failure',
    severity: 'warning',
    title: 'A hook that does not say what its failure means',
    why: 'Without `onFailure`, a hook that crashes or times out denies before a tool runs, and lets all other events pass. Readers of the file cannot see which.',
    instead: 'Write `onFailure: deny`, `ask` or `pass`.',
    bad: { config: hook('run: jq .') },
    good: { config: hook('run: jq ., onFailure: deny') },
    find: ({ run, onFailure }) =>
      isHook(run) && onFailure === undefined ? 'There is no `onFailure`.' : undefined,
  },
  {
    id: 'hook-asks-model-about-file',
    severity: 'warning',
    title: 'A hook that asks a model whether a file exists',
    why: 'A model answers slowly, costs money and can be wrong. Whether a file exists is a fact.',
    instead: 'Write a contract with `files:`. See `holdpoint docs contracts`.',
    bad: { config: hook(`run: 'claude -p "Does the file report.md exist?"', onFailure: deny`) },
    good: { config: 'contracts:\n  - { id: report, files: [report.md] }\n' },
    find: ({ run }) =>
      isHook(run) && MODEL.test(words(run.command, run.args)) && asksAboutFiles(words(run.command, run.args))
        ? 'This command asks a model whether a file exists.'
        : undefined,
  },
]

/** An entry below `hooks`, and not a rule, a guard or a contract. */
function isHook(run: HandlerSpec): boolean {
  return handlerKind(run).section === 'hooks'
}
const MODEL =
  /\b(?:claude|codex|gemini|llm|ollama)\b[^|;&]*(?:\s-p\b|--print|--prompt|\bexec\b|\brun\b|\bprompt\b)/

function words(command: Json | undefined, args: Json | undefined): string {
  return [command, ...(Array.isArray(args) ? args : [])].map(String).join(' ')
}

/** Every check over the entries of one file. An entry for several agents or events is reported once. */
export function lintEntries(entries: readonly HookEntry[], look: DiskFacts): readonly LintFinding[] {
  const said = new Set<string>()
  return entries.flatMap((entry) =>
    ENTRY_CHECKS.flatMap((check) => {
      const { file, line = 1, column = 1, key } = entry.origin
      const place = `${check.id} ${file}:${line}:${column}`
      const what = said.has(place) ? undefined : check.find(entry, look)
      if (what === undefined) return []
      said.add(place)
      const { id: rule, severity, why, instead } = check
      return [
        { rule, severity, file, line, column, ...(key === undefined ? {} : { key }), what, why, instead },
      ]
    }),
  )
}

function scriptIn({ run }: HookEntry, look: DiskFacts): ReturnType<typeof scriptOf> {
  const line = isHook(run) ? startedLine(run) : undefined
  if (line === undefined) return undefined
  const value = { type: 'command', ...(line.args === undefined ? {} : { args: [...line.args] }) }
  const handler = { event: '', matcher: undefined, matcherPath: [], path: [], value, command: line.command }
  return scriptOf(handler, { ...look, project: rootOf(run.root) ?? look.project })
}

function rootOf(root: Json | undefined): string | undefined {
  return typeof root === 'string' ? root : undefined
}

/** Undefined for a package, which the package manager provides. */
function modulePath({ run }: HookEntry): string | undefined {
  const code = handlerKind(run).starts?.(run)
  if (code?.kind !== 'module') return undefined
  const { module } = code
  if (module.startsWith('/')) return module
  const isPath = module.startsWith('.') || /^\S+\.[cm]?[jt]s$/.test(module)
  const root = rootOf(run.root)
  return isPath && root !== undefined ? joined(root, module) : undefined
}

function joined(folder: string, path: string): string {
  const steps: string[] = []
  for (const step of `${folder}/${path}`.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return `/${steps.join('/')}`
}

/** By its text, because nothing is run. What cannot be ruled out counts as exported. */
function exportsName(text: string, name: string): boolean {
  if (/\bexport\s*\*|\bmodule\.exports\b|\bexports\s*[.[]/.test(text)) return true
  if (name === 'default') return /\bexport\s+default\b|\bas\s+default\b|\bexport\s*=/.test(text)
  const literal = name.replaceAll(/[^\w$]/g, '\\$&')
  return new RegExp(`\\bexport\\b[^;]*?[\\s{,]${literal}\\b`).test(text)
}
