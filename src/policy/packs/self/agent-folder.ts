import type { Facts } from '../../../core/facts.ts'
import type { EventExample, Guard, GuardInput, GuardMatch } from '../../../core/guard.ts'
import { wordList } from '../../../core/word-list.ts'
import { readOptions, valuesOf } from '../../../shell/arguments/options.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { resolvePath } from '../../../shell/words/paths.ts'
import { exactText } from '../../../shell/words/words.ts'
import { type Launched, launchedProgram } from '../../analysis/launched-program.ts'
import { ANY_COMMAND } from '../../analysis/topics.ts'
import { commandsIn } from '../shell-guard.ts'
import { startedAgent } from './agent-programs.ts'
import { installedFiles } from './installed.ts'

/** Settings of a project can switch off the hooks of the user, and an agent that is started there has none. */
export const agentFolder: Guard = {
  id: 'self/agent-folder',
  title: 'Starting an agent in a folder that switches its hooks off',
  why: 'Settings of that folder switch every hook off, so nothing that agent does would be checked.',
  instead: 'start the agent in this project, or ask the user to look at the settings of that folder.',
  on: ['PreToolUse'],
  match: 'Bash',
  topics: [ANY_COMMAND],
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  concerns: (event, facts) => commandsIn(event, facts).some((command) => agentIn(command) !== undefined),
  examples: {
    stops: [
      started('cd clone && claude -p hi', { '/srv/project/clone/.claude/settings.json': OFF() }),
      started('cd clone && claude -p hi', { '/srv/project/clone/.claude/settings.local.json': OFF() }),
      started('(cd clone/src; npx @anthropic-ai/claude-code -p hi)', {
        '/srv/project/clone/.claude/settings.json': OFF(),
      }),
      started('env -C clone claude -p hi', { '/srv/project/clone/.claude/settings.json': OFF() }),
      started('claude --project-config-root clone -p hi', {
        '/srv/project/clone/.claude/settings.json': OFF(),
      }),
      started('cd clone && claude -p hi', {
        '/srv/project/clone/.claude/settings.json': '{"disable\\u0041llHooks": true}',
      }),
      started('cd clone && claude -p hi', {
        '/srv/project/clone/.claude/settings.json': '{ // mine\n "disableAllHooks": true }',
      }),
      started('cd clone && codex exec hi', {
        '/srv/project/clone/.codex/config.toml': '[features]\nhooks = false\n',
      }),
      started('codex exec -C clone hi', {
        '/srv/project/clone/.codex/config.toml': 'features.hooks = false\n',
      }),
      started('cd clone && gemini -p hi', {
        '/srv/project/clone/.gemini/settings.json': '{"hooksConfig": {"enabled": false}}',
      }),
      started('cd clone && qwen -p hi', { '/srv/project/clone/.qwen/settings.json': OFF() }),
      started('cd clone && droid exec hi', {
        '/srv/project/clone/.factory/settings.json': '{"hooks": {"hooksDisabled": true}}',
      }),
      started('cd clone && codebuddy -p hi', {
        '/srv/project/clone/.codebuddy/settings.json': '{"hooks": {"PreToolUse": [{"hooks": []}]}}',
      }),
      started('cd clone && goose run -t hi', {
        '/srv/project/clone/.agents/plugins/holdpoint/hooks/hooks.json': '{"hooks": {}}',
      }),
      started('git clone https://example.com/y && cd y && claude -p hi'),
      started('git worktree add ../w other && cd ../w && claude -p hi'),
      started('tar xf y.tgz; cd y; claude -p hi'),
      started('D=$(ls -d */ | head -1); cd $D && claude -p hi'),
    ],
    passes: [
      'claude -p hi',
      started('cd clone && claude -p hi', { '/srv/project/clone/.claude/settings.json': '{"model":"opus"}' }),
      started('cd clone && claude -p hi', {
        '/srv/project/clone/.claude/settings.json': '{"disableAllHooks":false}',
      }),
      started('cd clone && codex exec hi', {
        '/srv/project/clone/.codex/config.toml': '[features]\nhooks = true\n',
      }),
      started('cd clone && gemini -p hi', {
        '/srv/project/clone/.gemini/settings.json': '{"hooksConfig": {"enabled": true}}',
      }),
      started('cd clone && qwen -p hi', {
        '/srv/project/clone/.qwen/settings.json': '{"disableAllHooks": false}',
      }),
      started('cat clone/.claude/settings.json', { '/srv/project/clone/.claude/settings.json': OFF() }),
      started('cd clone && npm test', { '/srv/project/clone/.claude/settings.json': OFF() }),
      started('git clone https://example.com/y && cd y && npm test'),
      started('git pull && claude -p "review the changes"'),
      started('cd /tmp && claude -p hi'),
      started('cd clone && claude --version', { '/srv/project/clone/.claude/settings.json': OFF() }),
    ],
  },
  async check({ event, facts, options }: GuardInput): Promise<GuardMatch | null> {
    // No other settings switch those of an administrator off.
    if (installedFiles(options)?.some(({ scope, wrong }) => scope === 'managed' && wrong === undefined))
      return null
    const commands = commandsIn(event, facts)
    let doubt: GuardMatch | null = null
    for (const [at, command] of commands.entries()) {
      const agent = agentIn(command)
      if (agent === undefined || command.remote !== undefined) continue
      const folder = folderOf(command, agent, facts)
      const file = folder === undefined ? undefined : await switchIn(folder, agent.name, facts)
      if (file !== undefined)
        return {
          caught: `starts ${agent.name} where ${file} switches its hooks off`,
          fragment: command.fragment,
        }
      if (startedAgent(agent)?.host === undefined) continue
      const unsure = await doubtAbout(folder, commands.slice(0, at), facts)
      if (unsure !== undefined)
        doubt ??= { caught: `starts ${agent.name} in another folder`, fragment: command.fragment, unsure }
    }
    return doubt
  },
}

function agentIn(command: SimpleCommand): Launched | undefined {
  const program = launchedProgram(command)
  const agent = program === undefined ? undefined : startedAgent(program)
  // Of agents without a name of ours another guard asks; here only what their files say counts.
  return agent === undefined || (agent.host === undefined && !Object.hasOwn(SWITCHES, agent.name))
    ? undefined
    : program
}

const OPTIONS = 'C|cd= project-config-root= c|config= m|model= p|print h|help'

function folderOf(command: SimpleCommand, { args }: Launched, { home }: Facts): string | undefined {
  const read = readOptions(args, OPTIONS)
  const [named] = valuesOf(read, 'cd', 'project-config-root')
  if (named === undefined) return command.cwd
  const text = exactText(named)
  return text === undefined ? undefined : resolvePath(text, { cwd: command.cwd, home })
}

/** Folders above count too: an agent takes the settings of the project that it is in. */
const LEVELS_MAX = 12

async function switchIn(folder: string, agent: string, facts: Facts): Promise<string | undefined> {
  const known = Object.hasOwn(SWITCHES, agent) ? (SWITCHES[agent] ?? []) : []
  let at = folder
  for (let level = 0; level < LEVELS_MAX && at !== '' && at !== facts.home; level += 1) {
    for (const { names, off } of known) {
      for (const name of names) {
        const text = await facts.readText(`${at}/${name}`)
        if (text !== undefined && off.test(withoutEscapes(text))) return `${at}/${name}`
      }
    }
    at = at.slice(0, at.lastIndexOf('/'))
  }
  return undefined
}

/** Files of a repository that keep the hooks of the user from counting, by the agent's program. */
const SWITCHES: Readonly<
  Record<string, readonly { readonly names: readonly string[]; readonly off: RegExp }[]>
> = {
  claude: [
    {
      names: ['.claude/settings.json', '.claude/settings.local.json'],
      off: /"disableAllHooks"\s*:\s*(?!\s|false\b)/,
    },
  ],
  codex: [{ names: ['.codex/config.toml'], off: /(?:^|[\s{,.])["']?(?:codex_)?hooks["']?\s*=\s*false\b/m }],
  gemini: [
    {
      names: ['.gemini/settings.json'],
      off: /"hooksConfig"\s*:\s*\{(?:[^{}]*"enabled"\s*:\s*(?!\s|"?true\b|null\b)|[^{}]*"disabled"\s*:\s*\[[^\]]*holdpoint-hook)/,
    },
  ],
  qwen: [
    { names: ['.qwen/settings.json'], off: /"disableAllHooks"\s*:\s*(?!\s|false\b|null\b|0\s*[,}]|"")/ },
  ],
  droid: [
    {
      names: ['.factory/settings.json', '.factory/hooks.json', '.factory/hooks/hooks.json'],
      off: /"hooksDisabled"\s*:\s*true\b/,
    },
  ],
  // The hook that answers last decides.
  codebuddy: [
    {
      names: ['.codebuddy/settings.json', '.codebuddy/settings.local.json'],
      off: /"PreToolUse"\s*:\s*\[\s*[^\s\]]/,
    },
  ],
  // A plugin with the name of ours takes its place.
  goose: [
    {
      names: wordList('plugin.json hooks/hooks.json').map((name) => `.agents/plugins/holdpoint/${name}`),
      off: /^/,
    },
  ],
}

function withoutEscapes(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** What brings a folder whose settings nobody has seen. */
const BRINGS =
  /^(?:git\s(?:.*\s)?(?:clone|worktree|submodule)\b|gh\srepo\sclone\b|tar\b|unzip\b|7z\b|bsdtar\b|svn\b|hg\b|degit\b|npx\s.*degit\b)/

async function doubtAbout(
  folder: string | undefined,
  before: readonly SimpleCommand[],
  facts: Facts,
): Promise<string | undefined> {
  if (folder === undefined) return 'which settings that folder has is known only at run time'
  const brings = before.some(({ fragment }) => BRINGS.test(fragment))
  return brings && (await facts.stat(folder)) === undefined
    ? 'that folder is made by this command, and its settings are not known yet'
    : undefined
}

function OFF(): string {
  return '{"disableAllHooks": true}'
}

function started(command: string, files: Readonly<Record<string, string>> = {}): EventExample {
  const tool = { name: 'Bash', input: { command } }
  return { kind: 'PreToolUse', fields: { tool }, files }
}
