import { isObject, type JsonObject } from '../../core/json.ts'
import { wordList, wordSet } from '../../core/word-list.ts'
import { type OptionText, type ReadOptions, readOptions, valuesOf } from '../../shell/arguments/options.ts'
import { resolvePath } from '../../shell/words/paths.ts'
import { exactText, type Word } from '../../shell/words/words.ts'
import type { Launched } from './launched-program.ts'

/** What disables hooks when an agent is started. */
export interface Switched {
  /** The option or variable, as written. */
  readonly by: string
  readonly unsure?: string
}

interface Agent {
  readonly options: OptionText
  /** Options that disable hooks, with any value. */
  readonly bare: readonly string[]
  /** Variables that select other settings, and the default location. */
  readonly moved: Readonly<Record<string, string>>
  /** Variables that disable hooks. */
  readonly off: readonly string[]
  by?(read: ReadOptions): Switched | undefined
}

const AGENTS: Readonly<Record<string, Agent>> = {
  claude: {
    options: `
        p|print settings= managed-settings= setting-sources= bare safe-mode restricted model= mcp-config=
        plugin-dir= plugin-dir-no-mcp= plugin-url= agent= agents= input-format= h|help v|version
        cloud=? remote=? environment= pool= teleport=? sdk-url= attach-serve= client-data-url=
      `,
    bare: wordList(`
      bare safe-mode restricted managed-settings managed-settings-in-initialize await-initialize await-claim sdk-url
    `),
    moved: { CLAUDE_CONFIG_DIR: '.claude' },
    off: wordList(`
      CLAUDE_CODE_SAFE_MODE CLAUDE_CODE_SIMPLE CLAUDE_CODE_PERSONAL_HOOKS_OFF CLAUDE_CODE_RESTRICTED
      CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG
      CLAUDE_CODE_MANAGED_SETTINGS_PATH CLAUDE_CODE_REMOTE_SETTINGS_PATH CLAUDE_CODE_MOCK_REMOTE_SETTINGS
      CLAUDE_CODE_MCP_SERVE_SETTINGS CLAUDE_CODE_SHELL CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT
      CLAUDE_CODE_PLUGIN_DIRS CLAUDE_CODE_PLUGIN_CACHE_DIR CLAUDE_CODE_PLUGIN_SEED_DIR CLAUDE_CODE_USE_COWORK_PLUGINS
      CLAUDE_CODE_EVAL_CONFINED CLAUDE_CODE_HOST_OWNED_CONFIG_DIR CLAUDE_ENV_FILE BUN_OPTIONS
    `),
    by: claudeSwitch,
  },
  codex: {
    options:
      'c|config= disable= enable= m|model= p|profile= C|cd= remote= yolo dangerously-bypass-approvals-and-sandbox h|help V|version',
    bare: ['ignore-user-config', 'dangerously-bypass-hook-trust', 'remote'],
    moved: { CODEX_HOME: '.codex' },
    off: [],
    by: codexSwitch,
  },
  gemini: {
    options: 'p|prompt= m|model= h|help',
    bare: [],
    moved: { GEMINI_CLI_HOME: '' },
    off: ['GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'],
  },
  qwen: {
    options: 'p|prompt= m|model= bare safe-mode h|help',
    bare: ['bare', 'safe-mode'],
    moved: { QWEN_HOME: '.qwen' },
    off: wordList(`
      QWEN_CODE_SIMPLE QWEN_CODE_SAFE_MODE QWEN_CODE_SYSTEM_SETTINGS_PATH QWEN_CODE_SYSTEM_DEFAULTS_PATH
    `),
  },
  copilot: {
    options: 'p|prompt= config-dir= plugin-dir= additional-mcp-config= h|help',
    bare: ['config-dir', 'plugin-dir', 'additional-mcp-config'],
    moved: { COPILOT_HOME: '.copilot' },
    off: [],
  },
  opencode: {
    options: 'pure m|model= h|help',
    bare: ['pure'],
    moved: { OPENCODE_CONFIG_DIR: '.config/opencode', OPENCODE_CONFIG: '', XDG_CONFIG_HOME: '.config' },
    off: ['OPENCODE_PURE', 'OPENCODE_DISABLE_EXTERNAL_PLUGINS'],
  },
  // Made from OpenCode, with its options.
  kilo: {
    options: 'pure m|model= auto h|help',
    bare: ['pure'],
    moved: { KILO_CONFIG_DIR: '.config/kilo', KILO_CONFIG: '', XDG_CONFIG_HOME: '.config' },
    off: ['KILO_PURE'],
  },
  pi: {
    options: 'p|print model= no-extensions e|extension= h|help',
    bare: ['no-extensions', 'extension'],
    moved: { PI_CODING_AGENT_DIR: '.pi/agent' },
    off: [],
  },
  cline: {
    options:
      'p|plan json auto-approve= c|cwd= i|tui id= P|provider= k|key= m|model= s|system= config= data-dir= hooks-dir= h|help V|version',
    bare: ['config', 'data-dir', 'hooks-dir'],
    moved: { CLINE_DIR: '.cline', CLINE_DATA_DIR: '.cline/data' },
    off: ['CLINE_GLOBAL_SETTINGS_PATH', 'CLINE_PLUGIN_IMPORT_TIMEOUT_MS'],
  },
  openclaw: {
    options: 'profile= dev container= m|message= agent= local h|help V|version',
    bare: ['profile', 'dev', 'container'],
    moved: {
      OPENCLAW_STATE_DIR: '.openclaw',
      OPENCLAW_CONFIG_PATH: '.openclaw/openclaw.json',
      OPENCLAW_HOME: '',
    },
    off: ['OPENCLAW_PROFILE'],
  },
  // A descendant of Claude Code, with its options.
  codebuddy: {
    options:
      'p|print settings= setting-sources= bare model= mcp-config= plugin-dir= agents= input-format= h|help v|version',
    bare: ['bare'],
    moved: { CODEBUDDY_CONFIG_DIR: '.codebuddy' },
    off: [],
    by: claudeSwitch,
  },
  grok: plainAgent({ GROK_HOME: '.grok' }),
  kimi: plainAgent({ KIMI_CODE_HOME: '.kimi-code' }, 'config= config-file= mcp-config= mcp-config-file='),
  droid: plainAgent({ FACTORY_HOME_OVERRIDE: '' }, 'settings='),
  goose: {
    ...plainAgent({ GOOSE_PATH_ROOT: '', XDG_CONFIG_HOME: '.config' }, 'with-extension='),
    off: ['GOOSE_ADDITIONAL_CONFIG_FILES'],
  },
}

/** One of which only this is known: where its settings are, and the options that bring others. */
function plainAgent(moved: Agent['moved'], others = ''): Agent {
  const bare = wordList(others).map((each) => each.slice(0, -1))
  return { options: `p|prompt= m|model= h|help ${others}`, bare, moved, off: [] }
}

/** Undefined if it is not an agent, or if the agent starts with its hooks. */
export function switchedOffBy(
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
  return configures(read) ?? agent.by?.(read) ?? byVariable(agent, variables, home)
}

const AFFAIRS = wordSet('mcp plugin plugins extension extensions hooks config settings')
const CHANGES = wordSet('add add-json add-from-claude-desktop install enable link import set patch apply')
/** Of hooks, and of settings, less is a change too. */
const LOSSES = wordSet('disable remove rm delete unset migrate disable-all')
const LOSABLE = wordSet('hooks config settings')
/** Of plugins only ours counts. */
const PLUGINS = wordSet('plugin plugins extension extensions')
const PLUGIN_LOSSES = wordSet('disable remove rm delete uninstall unlink')

/** `holdpoint`, `holdpoint@holdpoint`, `@holdpoint/cline`, `npm:@holdpoint/pi`. */
const OUR_PLUGIN = /^(?:npm:)?(?:@holdpoint\/[\w-]+|holdpoint)(?:@|$)/

/** `claude mcp add`, `codex mcp add`, `gemini extensions install`: what it starts next time, without a call of a tool. */
function configures(read: ReadOptions): Switched | undefined {
  const [noun = '', ...rest] = read.operands.map((word) => exactText(word) ?? '')
  const [verb = '', ...names] = rest[0] === 'marketplace' ? rest.slice(1) : rest
  if (noun === 'mcp' && verb === 'serve') return { by: '`mcp serve`, whose tools ask no hook' }
  const isOurs = names.some((name) => OUR_PLUGIN.test(name))
  const isOursLost = isOurs && PLUGINS.has(noun) && PLUGIN_LOSSES.has(verb)
  const isLoss = isOursLost || (LOSABLE.has(noun) && LOSSES.has(verb))
  if (!isLoss && (!AFFAIRS.has(noun) || !CHANGES.has(verb))) return undefined
  return isOurs && !isOursLost
    ? undefined
    : { by: `\`${[noun, ...rest.slice(0, rest[0] === 'marketplace' ? 2 : 1)].join(' ')}\`` }
}

/** Where the hooks of every agent look for Holdpoint's own settings. */
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

/** Settings on the command line override the others, and a single key in them can disable every hook. */
function claudeSwitch(read: ReadOptions): Switched | undefined {
  const [settings] = valuesOf(read, 'settings')
  const [sources] = valuesOf(read, 'setting-sources')
  if (sources !== undefined) {
    const named = (exactText(sources) ?? '').split(',').map((each) => each.trim())
    if (!['user', 'project', 'local'].every((each) => named.includes(each)))
      return { by: '--setting-sources' }
  }
  return bySettings(settings) ?? byServers(read) ?? byParts(read) ?? byProtocol(read) ?? byPlace(read)
}

/** Sessions that run somewhere else, and programs of another age. */
function byPlace(read: ReadOptions): Switched | undefined {
  const elsewhere = [
    'cloud',
    'remote',
    'environment',
    'pool',
    'teleport',
    'attach-serve',
    'client-data-url',
  ].find((name) => read.options.some((option) => option.name === name))
  if (elsewhere !== undefined)
    return { by: `--${elsewhere}`, unsure: 'which hooks that session has is not known here' }
  const [verb, what = ''] = read.operands.map((word) => exactText(word) ?? '')
  if (verb === 'ssh' || verb === 'import' || verb === 'self-hosted-runner')
    return { by: `\`${verb}\``, unsure: 'which hooks it has then is not known here' }
  return verb === 'install' && /^v?\d/.test(what)
    ? { by: `\`install ${what}\``, unsure: 'whether that version knows hooks is not known here' }
    : undefined
}

/** Requests of that protocol set settings, hooks and servers, as options do. */
function byProtocol(read: ReadOptions): Switched | undefined {
  const [format] = valuesOf(read, 'input-format')
  if (format === undefined || exactText(format) === 'text') return undefined
  return { by: '--input-format', unsure: 'what its input sets is not known here' }
}

function bySettings(settings: Word | undefined): Switched | undefined {
  if (settings === undefined) return undefined
  const text = exactText(settings)
  if (text === undefined || !text.trimStart().startsWith('{')) {
    return { by: '--settings', unsure: 'the contents of those settings are not known here' }
  }
  const given = objectIn(text)
  if (given === undefined) return { by: '--settings', unsure: 'those settings are not JSON' }
  return Object.keys(given).some((key) => STARTING_KEYS.has(key)) ? { by: '--settings' } : undefined
}

/** Settings that switch hooks off, lead them elsewhere, or start a program that no hook is asked about. */
const STARTING_KEYS = wordSet(`
  disableAllHooks env hooks enabledPlugins extraKnownMarketplaces statusLine apiKeyHelper awsAuthRefresh
  awsCredentialExport gcpAuthRefresh otelHeadersHelper fileSuggestion enableAllProjectMcpServers enabledMcpjsonServers
  allowManagedHooksOnly
`)

/** A server is a program that the agent starts before any hook is asked. */
function byServers(read: ReadOptions): Switched | undefined {
  const configs = valuesOf(read, 'mcp-config')
  const unknown = configs.find((word) => objectIn(exactText(word) ?? '') === undefined)
  if (configs.some((word) => /"command"/.test(JSON.stringify(objectIn(exactText(word) ?? '') ?? {}))))
    return { by: '--mcp-config' }
  return unknown === undefined
    ? undefined
    : { by: '--mcp-config', unsure: 'which servers that starts is not known here' }
}

/** Plugins and agents may bring hooks and servers of their own. */
function byParts(read: ReadOptions): Switched | undefined {
  const plugin = ['plugin-dir', 'plugin-dir-no-mcp', 'plugin-url'].find(
    (name) => valuesOf(read, name).length > 0,
  )
  if (plugin !== undefined)
    return { by: `--${plugin}`, unsure: 'which hooks that plugin brings is not known here' }
  const [agents] = valuesOf(read, 'agents')
  if (agents === undefined) return undefined
  const given = objectIn(exactText(agents) ?? '')
  if (given === undefined) return { by: '--agents', unsure: 'what is in those agents is not known here' }
  return /"(?:hooks|mcpServers)"\s*:/.test(JSON.stringify(given)) ? { by: '--agents' } : undefined
}

/** As the agent reads it, escapes and all. */
function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Keys that switch hooks off, or start a program that no hook is asked about. */
const HOOKS_KEY =
  /^\s*["']?(?:features["']?\s*=.*hooks|features["']?\s*\.\s*["']?(?:codex_)?hooks|hooks\b|mcp_servers\b.*command|notify\b|projects\b|plugins\b|zsh_path\b|allow_managed_hooks_only\b|[\w.]+\.command\b)/

/** What runs commands, or what answers programs that run them, without a session and its hooks. */
const CODEX_WITHOUT_SESSION = wordSet('sandbox app-server exec-server mcp-server')

function codexSwitch(read: ReadOptions): Switched | undefined {
  const [verb, change, feature] = read.operands.map((word) => exactText(word))
  if (verb === 'cloud' && change === 'exec')
    return { by: '`cloud exec`', unsure: 'which hooks that session has is not known here' }
  if (verb === 'features' && change === 'disable' && /hooks/.test(feature ?? ''))
    return { by: 'features disable' }
  if (
    CODEX_WITHOUT_SESSION.has(verb ?? '') ||
    (verb === 'debug' && /^(?:landlock|seatbelt)$/.test(change ?? ''))
  )
    return { by: `\`${verb}\``, unsure: 'what it runs is not seen by any hook' }
  const set = valuesOf(read, 'config').find((word) => HOOKS_KEY.test(exactText(word) ?? word.source))
  if (set !== undefined) return { by: `-c ${set.source}` }
  const bypass = read.options.find(
    ({ name }) => name === 'yolo' || name === 'dangerously-bypass-approvals-and-sandbox',
  )
  if (bypass !== undefined) {
    return { by: `--${bypass.name}`, unsure: 'whether a person has trusted its hooks is not known here' }
  }
  return valuesOf(read, 'disable').some((word) => /hooks/.test(exactText(word) ?? 'hooks'))
    ? { by: '--disable hooks' }
    : undefined
}
