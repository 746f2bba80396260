import { wordSet } from '../../../core/word-list.ts'
import { exactText } from '../../../shell/words/words.ts'
import type { Launched } from '../../analysis/launched-program.ts'

/** Programs that are coding agents: what each of them does, nobody judges unless it has hooks of its own. Data only. */
interface AgentProgram {
  /** Holdpoint's own name for it, where `init` can install hooks into it. */
  readonly host?: string
  /** Other programs have this name too: it is the agent with one of these words first, */
  readonly only?: ReadonlySet<string>
  /** or without any of these. */
  readonly not?: ReadonlySet<string>
}

const AGENT_PROGRAMS: Readonly<Record<string, AgentProgram>> = {
  claude: { host: 'claude-code' },
  codex: { host: 'codex' },
  ...Object.fromEntries(
    [
      ...wordSet(`
        gemini agy qwen opencode cursor-agent droid amp aider auggie crush kimi kimi-cli plandex pdx openhands gptme interpreter
        cline kilocode kilo kiro-cli codebuff iflow trae-cli sweagent swe-agent mini-swe-agent letta grok junie jules
        continue cn codebuddy openclaw goosed mistral-vibe vibe rovodev devin
        acpx claude-code-acp codex-acp claude-agent-acp open-interpreter
      `),
    ].map((name) => [name, {}]),
  ),
  // A tool for database migrations has this name too.
  goose: { only: wordSet('session run web acp recipe schedule term serve mcp') },
  // And a tool of AWS for containers this one.
  copilot: {
    not: wordSet(
      'app env svc job task pipeline secret storage deploy init docs run run-local plugin completion',
    ),
  },
  q: { only: wordSet('chat agent') },
  // Names that say little: what stands first says that it is the agent.
  agent: { only: wordSet('-p --print chat') },
  cursor: { only: wordSet('agent') },
  code: { only: wordSet('chat agent') },
  gh: { only: wordSet('copilot agent-task') },
  ollama: { only: wordSet('launch') },
  warp: { only: wordSet('agent') },
  oz: { only: wordSet('agent') },
  forge: { only: wordSet('-p --prompt') },
  sgpt: { only: wordSet('-s --shell') },
  tgpt: { only: wordSet('-s --shell') },
  aichat: { only: wordSet('-e --execute') },
  mini: { only: wordSet('-t --task -y --yolo') },
  pi: { only: wordSet('-p --print --mode --continue -c --model') },
  acli: { only: wordSet('rovodev') },
}

/** With one of these first, an agent only shows something, or changes its own affairs. */
const NO_SESSION = wordSet(`
  help version login logout auth whoami update upgrade doctor completion completions list ls status models model mcp
  extensions extension plugin plugins marketplace config configure settings install uninstall stats export setup
  features hooks skills usage info debug cloud archive unarchive delete setup-token install-github-app
`)

const NO_SESSION_OPTIONS = wordSet(
  '-h --help -v -V --version help --list-extensions --list-models --list-sessions',
)

/** The agent that this starts a session of. Undefined: it is none, or it only shows something. */
export function startedAgent({
  name,
  args,
}: Launched): (AgentProgram & { readonly name: string }) | undefined {
  const agent = Object.hasOwn(AGENT_PROGRAMS, name) ? AGENT_PROGRAMS[name] : undefined
  if (agent === undefined) return undefined
  const words = args.map((word) => exactText(word) ?? '')
  if (words.some((word) => NO_SESSION_OPTIONS.has(word))) return undefined
  const verb = words[0] ?? ''
  if (agent.only !== undefined ? !agent.only.has(verb) : NO_SESSION.has(verb)) return undefined
  return agent.not?.has(verb) === true ? undefined : { ...agent, name }
}
