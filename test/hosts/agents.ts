import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anthropic } from './models/anthropic.ts'
import { type ModelRequest, type ModelTurn, markOf, type ToolUse, type Wire } from './models/model.ts'
import { openai } from './models/openai.ts'

/**
 * The agent programs under test: how each is started headless, on loopback only, and how it names a model's
 * actions.
 */

export type HostId = 'claude-code' | 'codex'

export interface Agent {
  readonly host: string
  /** The name that users know, with the pinned version. */
  readonly title: string
  readonly wire: Wire
  /** Its name on the user's PATH. */
  readonly command: string
  /** The program and the arguments before its own. */
  readonly program: readonly string[]
  /** Files that the program needs before anything else is installed, by absolute path. */
  files(places: Places, model: string): Readonly<Record<string, string>>
  /** The files of its hooks, as they are without any hooks. */
  withoutHooks(places: Places): Readonly<Record<string, string>>
  /** The complete environment of the program; nothing is inherited. */
  environment(places: Places, model: string): Readonly<Record<string, string>>
  args(prompt: string, options: StartOptions): readonly string[]
  /** One turn of the script in this program's own tools. The program may need several turns for it. */
  turns(turn: Turn, places: Places): readonly ((request: ModelRequest) => ModelTurn)[]
  readonly repository: Repository
  /** A shell command that ends when the program has noticed changed settings, or would have. */
  settle(places: Places): string
  /** Folders in the home that the program writes at every start. */
  readonly scratch: readonly string[]
}

/** Files by which an untrusted repository can influence this program, relative to the project. */
export interface Repository {
  /** Variables for the programs that it starts. */
  environment(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  /** Another hook before tool calls. */
  hook(command: string): Readonly<Record<string, string>>
  /** All hooks off. */
  hooksOff(): Readonly<Record<string, string>>
}

/** The folders of a sandbox. `home` belongs to the user, `holdpoint` to Holdpoint. */
export interface Places {
  readonly home: string
  readonly project: string
  readonly holdpoint: string
  readonly temporary: string
}

export interface StartOptions {
  /** The program's own switch that turns off all of its questions. */
  readonly skipPermissions?: boolean
  /** Continue the last session of this project. */
  readonly resume?: boolean
  /** Sub-agents will be started, for which a program may need more than for one agent. */
  readonly delegates?: boolean
  /** Do not continue the last session, where the program would do that by itself. */
  readonly anew?: boolean
  /** The agent of the main thread, if the program supports that. */
  readonly agent?: string
  /** MCP servers by name, and the command of each. */
  readonly servers?: Readonly<Record<string, readonly string[]>>
  /** Codex runs hooks only after the user has reviewed them; this leaves them unreviewed. */
  readonly unseen?: boolean
}

/** One turn of a scripted model, independent of the program. */
export interface Turn {
  /** A function is called when the model answers, after everything it got before. */
  readonly say?: string | (() => string)
  readonly do?: readonly Act[]
}

export type Act =
  | { readonly shell: string }
  | { readonly write: string; readonly text: string }
  /**
   * Start a sub-agent that plays this conversation, and wait for it; with a type, or in parallel, if the
   * program can.
   */
  | { readonly delegate: string; readonly as?: string; readonly beside?: true }
  | { readonly skill: string }
  /** A tool of one program, by its own name. The input may depend on what the model got since its last answer. */
  | { readonly tool: string; readonly input: ToolInput | ((told: string) => ToolInput) }

export type ToolInput = Readonly<Record<string, unknown>>

/** The command for which a program is configured to ask the user, if it can be. */
export const ASKED = 'mkdir'

/** The pinned programs, or the newest ones if `npm run hosts:newest` has installed them. */
export const MODULES = process.env.HOLDPOINT_HOST_MODULES ?? join(import.meta.dirname, 'node_modules')

export const AGENTS: Readonly<Record<HostId, Agent>> = {
  'claude-code': claudeCode('@anthropic-ai/claude-code'),
  codex: codex('@openai/codex'),
}

/** A version that knows neither `args` nor `onFailure` in a hook. */
export const CLAUDE_CODE_WITHOUT_ARGS: Agent = claudeCode('claude-code-without-args')

function claudeCode(module: string): Agent {
  const settings = (places: Places) => join(places.home, '.claude')
  const withoutHooks = (places: Places) => ({
    [join(settings(places), 'settings.json')]: JSON.stringify({
      permissions: { allow: ['Bash', 'Write', 'Edit', 'Read', 'Agent', 'Skill'], ask: [`Bash(${ASKED} *)`] },
    }),
  })
  return {
    host: 'claude-code',
    get title() {
      return `Claude Code ${versionOf(module)}`
    },
    wire: anthropic,
    command: 'claude',
    program: [process.execPath, join(MODULES, module, 'cli-wrapper.cjs')],
    files: (places) => ({
      [join(settings(places), '.claude.json')]: JSON.stringify({
        hasCompletedOnboarding: true,
        projects: { [places.project]: { hasTrustDialogAccepted: true } },
      }),
      ...withoutHooks(places),
    }),
    withoutHooks,
    environment: (places, model) => ({
      ...surroundings(places, model),
      CLAUDE_CONFIG_DIR: settings(places),
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'sk-test',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      // It refuses to skip permissions as root outside of a sandbox, and CI often runs as root.
      IS_SANDBOX: '1',
    }),
    args: (prompt, { skipPermissions, resume, agent, servers }) => [
      '-p',
      prompt,
      '--output-format',
      'stream-json',
      '--verbose',
      ...(skipPermissions === true ? ['--dangerously-skip-permissions'] : []),
      ...(resume === true ? ['--continue'] : []),
      ...(agent === undefined ? [] : ['--agent', agent]),
      ...(servers === undefined ? [] : ['--strict-mcp-config', '--mcp-config', claudeServers(servers)]),
    ],
    turns: ({ say, do: acts }) => [
      ({ told }) => ({
        ...(say === undefined ? {} : { text: typeof say === 'string' ? say : say() }),
        ...(acts === undefined ? {} : { uses: acts.map((act) => claudeUse(act, told)) }),
      }),
    ],
    // It reports a change before it uses it.
    settle: ({ holdpoint }) =>
      `for i in $(seq 150); do grep -qs ConfigChange '${holdpoint}'/journal/* && break; sleep 0.2; done; sleep 2`,
    scratch: [],
    repository: {
      environment: (env) => ({ '.claude/settings.json': JSON.stringify({ env }) }),
      hook: (command) => ({ '.claude/settings.json': JSON.stringify(preToolUse(command)) }),
      hooksOff: () => ({ '.claude/settings.json': JSON.stringify({ disableAllHooks: true }) }),
    },
  }
}

function claudeServers(servers: Readonly<Record<string, readonly string[]>>): string {
  const entries = Object.entries(servers).map(([name, [command, ...args]]) => [name, { command, args }])
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) })
}

function claudeUse(act: Act, told: string): ToolUse {
  if ('tool' in act) {
    return { name: act.tool, input: typeof act.input === 'function' ? act.input(told) : act.input }
  }
  if ('shell' in act) return { name: 'Bash', input: { command: act.shell, description: 'Run it' } }
  if ('write' in act) return { name: 'Write', input: { file_path: act.write, content: act.text } }
  if ('skill' in act) return { name: 'Skill', input: { skill: act.skill } }
  const prompt = `Play ${markOf(act.delegate)}.`
  const { as = 'general-purpose', beside = false } = act
  return {
    name: 'Agent',
    input: { description: 'Help', prompt, subagent_type: as, run_in_background: beside },
  }
}

function codex(module: string): Agent {
  const home = (places: Places) => join(places.home, '.codex')
  return {
    host: 'codex',
    get title() {
      return `Codex ${versionOf(module)}`
    },
    wire: openai,
    command: 'codex',
    program: [process.execPath, join(MODULES, module, 'bin', 'codex.js')],
    files: (places, model) => ({ [join(home(places), 'config.toml')]: codexConfig(places, model) }),
    withoutHooks: (places) => ({ [join(home(places), 'hooks.json')]: '{}' }),
    environment: (places, model) => ({
      ...surroundings(places, model),
      CODEX_HOME: home(places),
      SCRIPTED_KEY: 'sk-test',
    }),
    args: (prompt, { skipPermissions, resume, unseen, servers = {} }) => [
      'exec',
      ...Object.entries(servers).flatMap(([name, [command, ...args]]) =>
        [
          `command=${JSON.stringify(command)}`,
          `args=${JSON.stringify(args)}`,
          // The program waits for it before the first turn; otherwise its tools might not be there yet.
          'required=true',
          'startup_timeout_sec=200',
        ].flatMap((setting) => ['-c', `mcp_servers.${name}.${setting}`]),
      ),
      '--skip-git-repo-check',
      '--json',
      ...(unseen === true ? [] : ['--dangerously-bypass-hook-trust']),
      ...(skipPermissions === true ? ['--dangerously-bypass-approvals-and-sandbox'] : []),
      ...(resume === true ? ['resume', '--last'] : []),
      prompt,
    ],
    turns: ({ say, do: acts = [] }) => [
      () => ({
        ...(say === undefined ? {} : { text: typeof say === 'string' ? say : say() }),
        ...(acts.length === 0 ? {} : { uses: acts.map(codexUse) }),
      }),
      ...(acts.some((act) => 'delegate' in act) ? [waitForAgents] : []),
    ],
    settle: () => 'sleep 2',
    scratch: ['.codex/tmp'],
    repository: {
      environment: (variables) => ({ '.codex/config.toml': shellEnvironment(variables) }),
      hook: (command) => ({ '.codex/hooks.json': JSON.stringify(preToolUse(command)) }),
      hooksOff: () => ({ '.codex/config.toml': '[features]\nhooks = false\n' }),
    },
  }
}

function codexUse(act: Act): ToolUse {
  if ('shell' in act) return { name: 'exec_command', input: { cmd: act.shell } }
  if ('write' in act) {
    const lines = act.text.split('\n').map((line) => `+${line}`)
    const patch = ['*** Begin Patch', `*** Add File: ${act.write}`, ...lines, '*** End Patch', '']
    return { name: 'apply_patch', input: patch.join('\n') }
  }
  // A tool of an MCP server is in the namespace of its server.
  const [, namespace, name] = /^(mcp__.+?)__(.+)$/.exec('tool' in act ? act.tool : '') ?? []
  if (namespace !== undefined && name !== undefined && 'tool' in act && typeof act.input !== 'function') {
    return { name, namespace, input: act.input }
  }
  if ('skill' in act || 'tool' in act) throw new Error('Codex has no such tool')
  return {
    name: 'spawn_agent',
    namespace: 'multi_agent_v1',
    input: { message: `Play ${markOf(act.delegate)}.` },
  }
}

/** A sub-agent runs in parallel to its parent. Its id is in the answer to the call. */
function waitForAgents({ told }: ModelRequest): ModelTurn {
  const targets = [...told.matchAll(/"agent_id":\s*"([^"]+)"/g)].map(([, id = '']) => id)
  if (targets.length === 0) return { text: 'No agent was started.' }
  const input = { targets, timeout_ms: 60_000 }
  return { uses: [{ name: 'wait_agent', namespace: 'multi_agent_v1', input }] }
}

function shellEnvironment(variables: Readonly<Record<string, string>>): string {
  const set = Object.entries(variables).map(
    ([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`,
  )
  return `[shell_environment_policy]\nset = { ${set.join(', ')} }\n`
}

/** A form that both programs accept. */
function preToolUse(command: string): object {
  return { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }
}

/** Everything that would connect to another machine is off. A bundled model name enables the tool `apply_patch`. */
function codexConfig(places: Places, model: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
requires_openai_auth = false
supports_websockets = false

[analytics]
enabled = false

[features]
enable_request_compression = false
apps = false
plugins = false
remote_plugin = false

[projects.${JSON.stringify(places.project)}]
trust_level = "trusted"
`
}

/** Any request to another machine goes to the scripted model, which records it as unexpected. */
export function surroundings(places: Places, model: string): Readonly<Record<string, string>> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: places.home,
    TMPDIR: places.temporary,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    HTTP_PROXY: model,
    HTTPS_PROXY: model,
    NO_PROXY: '127.0.0.1,localhost',
  }
}

/** Read on demand, because the scenarios are also loaded where no program is installed. */
export function versionOf(module: string): string {
  const { version } = JSON.parse(readFileSync(join(MODULES, module, 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}
