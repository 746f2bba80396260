import type { ActorScope, HandlerSpec } from '../../../core/hook.ts'
import type { Json } from '../../../core/json.ts'

/** What a file defines: a skill (slash commands are skills too) or an agent. */
export interface Component {
  readonly kind: 'skill' | 'agent'
  /** The actors its hooks are for: any of these. */
  readonly scopes: readonly ActorScope[]
  readonly folder: string
}

/** By the nearest parent folder named `skills`, `commands` or `agents`. Anywhere else it is a skill. */
export function componentAt(path: string, written: Json | undefined): Component {
  const steps = path.split('/')
  const file = steps.pop() ?? ''
  const above = steps.findLast((step) => step === 'skills' || step === 'commands' || step === 'agents')
  const own = file === 'SKILL.md' ? (steps.at(-1) ?? '') : file.replace(/\.md$/, '')
  const named = typeof written === 'string' || typeof written === 'number' ? String(written).trim() : ''
  const folder = steps.join('/')
  if (above === 'agents' && file !== 'SKILL.md') {
    const agentType = { kind: 'names', names: [named === '' ? own : named] } as const
    return { kind: 'agent', scopes: [{ agentType }], folder }
  }
  // Claude Code starts a skill by either name, and reports the one that was used.
  const names = new Set([named, own].map(withoutPlugin).filter((name) => name !== ''))
  return { kind: 'skill', scopes: [...names].map((skill) => ({ skill })), folder }
}

/** `plugin:skill` is reported as `skill` by every agent. */
function withoutPlugin(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

/** Commands of a skill may use its folder, under the variable name of Claude Code. */
export function startedIn(folder: string, run: HandlerSpec): HandlerSpec {
  const { command, args } = run
  if (typeof command !== 'string') return run
  if (Array.isArray(args)) {
    const [program = '', ...rest] = [command, ...args.map(String)].map((word) =>
      word.replaceAll(FOLDER, () => folder),
    )
    return { ...run, command: program, args: rest }
  }
  if (command.search(FOLDER) < 0) return run
  // A folder name with shell syntax is only passed where no shell interprets it.
  return /^[\w./@+-]*$/.test(folder)
    ? { ...run, command: command.replaceAll(FOLDER, () => folder) }
    : { ...run, command: `export CLAUDE_PLUGIN_ROOT='${folder.replaceAll("'", `'\\''`)}'; ${command}` }
}

const FOLDER = /\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g
