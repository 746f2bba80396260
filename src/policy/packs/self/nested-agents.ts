import type { EventExample, GuardInput, GuardMatch } from '../../../core/guard.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { isInside } from '../../../shell/words/paths.ts'
import { exactText } from '../../../shell/words/words.ts'
import { launchedProgram } from '../../analysis/launched-program.ts'
import { commandsIn, detector, shellGuard } from '../shell-guard.ts'
import { startedAgent } from './agent-programs.ts'
import { installedFiles } from './installed.ts'

/** An agent that starts another one, which has no hooks there, has its work done without being judged. */
export const nestedAgents = shellGuard({
  id: 'self/nested-agents',
  title: 'Starting an agent that no hook checks',
  why: 'What that agent does would not be checked by the policies that hold here.',
  instead:
    'do the work yourself, or ask the user. The user can guard that agent with holdpoint init --scope user, where Holdpoint supports it.',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'gemini -p "fix the tests"',
      'gemini --yolo',
      'npx -y @google/gemini-cli -p hi',
      'qwen -p hi',
      'copilot -p hi --allow-all-tools',
      'npx @github/copilot -p hi',
      'opencode run hi',
      'cursor-agent -p hi',
      'droid exec hi',
      'amp -x hi',
      'aider --yes --message "fix it"',
      'uvx aider-chat --message hi',
      'python3 -m aider --yes -m hi',
      'goose run -t hi',
      'goose session',
      'kimi --print hi',
      'crush run hi',
      'auggie --print hi',
      'plandex new',
      'interpreter -y',
      'q chat --no-interactive hi',
      'uv tool run aider-chat --message hi',
      `node -e 'require("@anthropic-ai/claude-agent-sdk").query({ prompt: "hi" })'`,
      `python3 -c 'import claude_agent_sdk; claude_agent_sdk.query(prompt="hi")'`,
      'cd /tmp && gemini -p hi',
      'echo hi | gemini',
      started('cd /tmp && claude -p hi', 'local'),
      started('claude -p hi', 'local', '/srv/other/.claude/settings.local.json'),
      started('(cd ~ && npx @anthropic-ai/claude-code -p hi)', 'local'),
      started('cd "$D" && claude -p hi', 'local'),
      started('codex exec hi', 'local'),
      started('claude -p hi', 'user', '/home/dev/.claude/settings.json', 'is gone'),
      started('codex exec hi', 'user'),
      started('bwrap --bind / / --tmpfs ~/.claude claude -p hi', 'user', '/home/dev/.claude/settings.json'),
      started('proot -b /tmp/e:/home/dev/.claude claude -p hi', 'user', '/home/dev/.claude/settings.json'),
      started('unshare -rm claude -p hi', 'user', '/home/dev/.claude/settings.json'),
      started('firejail --private claude -p hi', 'user', '/home/dev/.claude/settings.json'),
      started('chroot /tmp/x claude -p hi', 'user', '/home/dev/.claude/settings.json'),
      'codebuddy -p hi',
      'npx -y @anthropic-ai/claude-code@1.0.0 -p hi',
      'npm i -g @anthropic-ai/claude-code@0.2.0',
      'npx @openai/codex@0.20.0 exec hi',
      'pi -p hi',
      'cursor agent -p hi',
      'gh copilot -p hi',
      'gh agent-task create hi',
      'ollama launch opencode',
      'code chat hi',
      'npx -y @zed-industries/claude-code-acp',
      'cbc -p hi',
      'goosed agent',
      'goose mcp developer',
      started('sudo -u nobody claude -p hi', 'user', '/home/dev/.claude/settings.json'),
    ],
    passes: [
      'claude -p hi',
      'codex exec hi',
      'gemini --version',
      'gemini mcp list',
      'opencode models',
      'qwen --help',
      'goose status',
      'goose -dir migrations postgres up',
      'copilot svc deploy --name api',
      'copilot --version',
      'which gemini',
      'npm install -g @google/gemini-cli',
      'pip install aider-chat',
      'git commit -m "gemini -p hi"',
      'cat gemini.md',
      'python3 -m pytest',
      'uv run pytest',
      'npm install @anthropic-ai/claude-agent-sdk',
      `python3 -c 'import anthropic; print(anthropic.__version__)'`,
      'q --help',
      'npm install -g @anthropic-ai/claude-code',
      'npm install -D @anthropic-ai/claude-code@2.1.0',
      'npx @anthropic-ai/claude-code@latest -p hi',
      'gh pr list',
      'ollama run llama3',
      'code .',
      'cursor .',
      'pi',
      started('claude -p hi', 'user', '/home/dev/.claude/settings.json'),
      started('cd /tmp && claude -p hi', 'user', '/home/dev/.claude/settings.json'),
      started('nice claude -p hi', 'user', '/home/dev/.claude/settings.json'),
      started('claude -p hi', 'local'),
      started('cd src && claude -p hi', 'local'),
      started('claude --version', 'local', '/srv/other/.claude/settings.local.json'),
      started('claude mcp list', 'local', '/srv/other/.claude/settings.local.json'),
    ],
  },
  mentions:
    /\b(?:claude|codex|gemini|agy|qwen|opencode|copilot|cursor-agent|droid|amp|aider|goose|goosed|kimi|crush|grok|codebuddy|cbc)\b/,
  maybe: 'may start an agent that no hook checks',
  detectors: [detector(commandsIn, judge)],
})

function judge(command: SimpleCommand, { event, options }: GuardInput): GuardMatch | null {
  // What runs on another machine has other hooks, or none; that is for the people who set that machine up.
  const program = command.remote === undefined ? launchedProgram(command) : undefined
  const older = olderVersion(command)
  if (older !== undefined) {
    const unsure = 'whether that version knows hooks is not known here'
    return { caught: `uses ${older}`, fragment: command.fragment, unsure }
  }
  const library = libraryIn(command)
  if (library !== undefined) {
    const unsure = `which hooks ${library} has there is not known here`
    return { caught: 'may start an agent from code', fragment: command.fragment, unsure }
  }
  const agent = program === undefined ? undefined : startedAgent(program)
  if (agent === undefined) return null
  const detail = {
    effect: `starts ${agent.name}`,
    via: [...command.via],
    at: [command.start, command.end],
  }
  const caught = { fragment: command.fragment, detail }
  if (agent.host === undefined) {
    return { caught: `starts ${agent.name}, into which no hooks are installed`, ...caught }
  }
  const all = installedFiles(options)
  const files = all?.filter(({ host }) => host === agent.host)
  // Hooks nobody noted: of the plugin, written by hand, or of a program that uses the library.
  if (all === undefined || files === undefined || (files.length === 0 && event.host === agent.host))
    return null
  const whole = files.filter(({ wrong }) => wrong === undefined)
  const isOthers = command.via.some((each) => /^(?:sudo|su|doas|runuser|pkexec)\b/.test(each))
  if (isOthers)
    return { caught: `starts ${agent.name} as another user, whose hooks are not these`, ...caught }
  const box = command.via.find((each) => OTHER_FILES.test(each))
  if (box !== undefined) {
    const unsure = `which files it sees under ${box.split(' ')[0]} is not known here`
    return { caught: `starts ${agent.name} where it may not see its hooks`, ...caught, unsure }
  }
  const isGuarded = whole.some(
    ({ scope, file }) =>
      scope === 'user' ||
      scope === 'managed' ||
      (command.cwd !== undefined && isInside(command.cwd, projectOf(file))),
  )
  if (isGuarded) return null
  return { caught: `starts ${agent.name} where no hooks are installed for it`, ...caught }
}

/** A version that is named may be from before there were hooks: run from a package, or installed for everybody. */
function olderVersion({ name = '', args, fragment }: SimpleCommand): string | undefined {
  const version = /(?<![\w/-])(?:@anthropic-ai\/claude-code|@openai\/codex)@[v^~<=]*\d[\w.-]*/.exec(
    fragment,
  )?.[0]
  if (version === undefined) return undefined
  if (/^(?:claude|codex|claude-code|npx|bunx|pnpx)$/.test(name)) return version
  const words = args.map((word) => exactText(word) ?? '')
  const isGlobal = words.some((word) => /^(?:-g|--global|global)$/.test(word))
  return isGlobal && /^(?:npm|pnpm|yarn|bun|volta)$/.test(name) ? version : undefined
}

/** What gives a program another view of the files, in which the hooks may be missing. */
const OTHER_FILES =
  /^(?:bwrap|proot|chroot|firejail|unshare|nsenter|systemd-nspawn|fakechroot|schroot|minijail0|nsjail|sandbox-exec|snap run|flatpak)\b/

/** Agents that are started by a library read no settings, unless the code says so. */
function libraryIn({ inline }: SimpleCommand): string | undefined {
  const code = (inline?.code ?? []).map((form) => form.map(({ text }) => text).join('')).join('\n')
  return /@anthropic-ai\/claude-(?:agent-sdk|code)|claude_(?:agent|code)_sdk|@openai\/codex-sdk|openai_codex\b/.exec(
    code,
  )?.[0]
}

/** `/srv/project/.claude/settings.local.json` is of `/srv/project`. */
function projectOf(file: string): string {
  return file.split('/').slice(0, -2).join('/')
}

function started(
  command: string,
  scope: string,
  file = '/srv/project/.claude/settings.local.json',
  wrong?: string,
): EventExample {
  const install = { host: 'claude-code', scope, file, ...(wrong === undefined ? {} : { wrong }) }
  const tool = { name: 'Bash', input: { command } }
  return { kind: 'PreToolUse', fields: { host: 'claude-code', tool }, options: { installs: [install] } }
}
