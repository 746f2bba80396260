import {
  type OptionTable,
  optionTable,
  type ReadOptions,
  readOptions,
  valuesOf,
} from '../../shell/options.ts'
import { resolvePath } from '../../shell/paths.ts'
import { exactText, type Word } from '../../shell/words.ts'
import type { Launched } from './launched.ts'

/** What switches hooks off when an agent is started. */
export interface Switched {
  /** The option or variable, as it is written. */
  readonly by: string
  readonly unsure?: string
}

interface Agent {
  readonly options: OptionTable
  /** Options that leave hooks out, whatever their value. */
  readonly bare: readonly string[]
  /** Variables that lead it to other settings, and where it looks without them. */
  readonly moved: Readonly<Record<string, string>>
  /** Variables that leave hooks out. */
  readonly off: readonly string[]
  by?(read: ReadOptions): Switched | undefined
}

const AGENTS: Readonly<Record<string, Agent>> = {
  claude: {
    options: optionTable(
      'p|print',
      'settings=',
      'setting-sources=',
      'bare',
      'safe-mode',
      'model=',
      'h|help',
      'v|version',
    ),
    bare: ['bare', 'safe-mode'],
    moved: { CLAUDE_CONFIG_DIR: '.claude' },
    off: ['CLAUDE_CODE_SAFE_MODE', 'CLAUDE_CODE_SIMPLE'],
    by: claudeSwitch,
  },
  codex: {
    options: optionTable(
      'c|config=',
      'disable=',
      'enable=',
      'm|model=',
      'p|profile=',
      'C|cd=',
      'h|help',
      'V|version',
    ),
    bare: ['ignore-user-config'],
    moved: { CODEX_HOME: '.codex' },
    off: [],
    by: codexSwitch,
  },
  gemini: {
    options: optionTable('p|prompt=', 'm|model=', 'h|help'),
    bare: [],
    moved: { GEMINI_CLI_HOME: '' },
    off: [],
  },
  qwen: {
    options: optionTable('p|prompt=', 'm|model=', 'bare', 'safe-mode', 'h|help'),
    bare: ['bare', 'safe-mode'],
    moved: { QWEN_HOME: '.qwen' },
    off: [],
  },
  copilot: {
    options: optionTable('p|prompt=', 'h|help'),
    bare: [],
    moved: { COPILOT_HOME: '.copilot' },
    off: [],
  },
  opencode: {
    options: optionTable('pure', 'm|model=', 'h|help'),
    bare: ['pure'],
    moved: { OPENCODE_CONFIG_DIR: '.config/opencode', OPENCODE_CONFIG: '', XDG_CONFIG_HOME: '.config' },
    off: ['OPENCODE_PURE', 'OPENCODE_DISABLE_EXTERNAL_PLUGINS'],
  },
}

/** Undefined when it is no agent, or one that starts with its hooks. */
export function switchedOff(
  { name, args }: Launched,
  variables: readonly { readonly name: string; readonly value: Word }[],
  home: string,
): Switched | undefined {
  const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined
  if (agent === undefined) return undefined
  const read = readOptions(args, agent.options)
  if (read.options.some((option) => option.name === 'help' || option.name === 'version')) return undefined
  const bare = agent.bare.find((each) => read.options.some((option) => option.name === each))
  if (bare !== undefined) return { by: `--${bare}` }
  return agent.by?.(read) ?? byVariable(agent, variables, home)
}

/** Where Holdpoint's own settings are looked for, by the hooks of any agent. */
const OWN = { HOLDPOINT_HOME: '.config/holdpoint', XDG_CONFIG_HOME: '.config' }

function byVariable(
  { moved, off }: Agent,
  variables: readonly { readonly name: string; readonly value: Word }[],
  home: string,
): Switched | undefined {
  const usual: Readonly<Record<string, string>> = { ...moved, ...OWN, HOME: '' }
  for (const { name, value } of variables) {
    if (off.includes(name)) return { by: name }
    const place = Object.hasOwn(usual, name) ? usual[name] : undefined
    if (place === undefined) continue
    const path = resolvePath(exactText(value) ?? '', { cwd: undefined, home })
    if (path !== `${home}${place === '' ? '' : `/${place}`}`) return { by: `another ${name}` }
  }
  return undefined
}

/** Settings given on the command line stand above the others, and one word in them switches every hook off. */
function claudeSwitch(read: ReadOptions): Switched | undefined {
  const [settings] = valuesOf(read, 'settings')
  const [sources] = valuesOf(read, 'setting-sources')
  if (sources !== undefined) {
    const named = (exactText(sources) ?? '').split(',').map((each) => each.trim())
    if (!['user', 'project', 'local'].every((each) => named.includes(each)))
      return { by: '--setting-sources' }
  }
  if (settings === undefined) return undefined
  const text = exactText(settings)
  if (text === undefined || !text.trimStart().startsWith('{')) {
    return { by: '--settings', unsure: 'what is in those settings is not known here' }
  }
  return /disableAllHooks|"env"/.test(text) ? { by: '--settings' } : undefined
}

const HOOKS_KEY = /^\s*(?:features\s*=.*hooks|features\.(?:codex_)?hooks|hooks\b)/

function codexSwitch(read: ReadOptions): Switched | undefined {
  const [verb, change, feature] = read.operands.map((word) => exactText(word))
  if (verb === 'features' && change === 'disable' && /hooks/.test(feature ?? ''))
    return { by: 'features disable' }
  const set = valuesOf(read, 'config').find((word) => HOOKS_KEY.test(exactText(word) ?? word.source))
  if (set !== undefined) return { by: `-c ${set.source}` }
  return valuesOf(read, 'disable').some((word) => /hooks/.test(exactText(word) ?? 'hooks'))
    ? { by: '--disable hooks' }
    : undefined
}
