import type { ActorScope, Run } from '../../hook.ts'
import type { Json } from '../../json.ts'

/** What a file describes: a skill (slash commands are skills too) or an agent. */
export interface Component {
  readonly is: 'skill' | 'agent'
  /** Whom its hooks are for: any of these. */
  readonly scopes: readonly ActorScope[]
  readonly folder: string
}

/** By where the file lies: below the nearest `skills`, `commands` or `agents` folder. Anywhere else it is a skill. */
export function componentAt(path: string, written: Json | undefined): Component {
  const steps = path.split('/')
  const file = steps.pop() ?? ''
  const above = steps.findLast((step) => step === 'skills' || step === 'commands' || step === 'agents')
  const own = file === 'SKILL.md' ? (steps.at(-1) ?? '') : file.replace(/\.md$/, '')
  const named = typeof written === 'string' || typeof written === 'number' ? String(written).trim() : ''
  const folder = steps.join('/')
  if (above === 'agents' && file !== 'SKILL.md') {
    const agentType = { is: 'names', names: [named === '' ? own : named] } as const
    return { is: 'agent', scopes: [{ agentType }], folder }
  }
  // Claude Code starts a skill by either name, and says the one it was started by.
  const names = new Set([named, own].map(withoutPlugin).filter((name) => name !== ''))
  return { is: 'skill', scopes: [...names].map((skill) => ({ skill })), folder }
}

/** `plugin:skill` begins as `skill`, wherever an agent says that it began. */
function withoutPlugin(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

/** Commands of a skill may name its folder, under the name Claude Code gives it. */
export function startedIn(folder: string, run: Run): Run {
  const { command, args } = run
  if (run.type !== 'command' || typeof command !== 'string') return run
  if (Array.isArray(args)) {
    const [program = '', ...rest] = [command, ...args.map(String)].map((word) =>
      word.replaceAll(FOLDER, () => folder),
    )
    return { ...run, command: program, args: rest }
  }
  if (command.search(FOLDER) < 0) return run
  // A folder with signs a shell reads goes only where no shell reads it again.
  return /^[\w./@+-]*$/.test(folder)
    ? { ...run, command: command.replaceAll(FOLDER, () => folder) }
    : { ...run, command: `export CLAUDE_PLUGIN_ROOT='${folder.replaceAll("'", `'\\''`)}'; ${command}` }
}

const FOLDER = /\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g
