import type { SimpleCommand } from '../../shell/command.ts'
import { exactText, type Word } from '../../shell/words.ts'
import type { Caught, GuardInput } from '../guard.ts'
import { commandsIn, look, shellGuard } from '../shell-guard.ts'
import { launched } from './launched.ts'
import { type Switched, switchedOff } from './switches.ts'

/** An agent that starts another one without hooks has found a way around its own. */
export const agentSwitches = shellGuard({
  id: 'self/agent-switches',
  title: 'Starting an agent without its hooks',
  why: 'What that agent does would be judged by nobody.',
  instead:
    'start it without the option, for example `claude -p "summarise the changes"`; its hooks then hold for it too.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'claude --bare -p "fix the tests"',
      'claude -p hi --safe-mode',
      'claude --setting-sources user -p hi',
      'claude --setting-sources=""',
      `claude -p hi --settings '{"disableAllHooks": true}'`,
      'claude --settings /tmp/none.json -p hi',
      'CLAUDE_CONFIG_DIR=/tmp/empty claude -p hi',
      'env CLAUDE_CONFIG_DIR=/tmp/empty claude -p hi',
      'export CLAUDE_CONFIG_DIR=/tmp/x; claude -p hi',
      'HOME=/tmp/x claude -p hi',
      'HOLDPOINT_HOME=/tmp/x claude -p hi',
      'XDG_CONFIG_HOME=/tmp/x codex exec hi',
      'CLAUDE_CODE_SIMPLE=1 claude -p hi',
      'npx -y @anthropic-ai/claude-code@latest --bare -p hi',
      'node ~/.local/lib/node_modules/@anthropic-ai/claude-code/cli.js --safe-mode',
      'codex -c features.hooks=false exec hi',
      'codex exec --config features.hooks=false hi',
      'codex exec -cfeatures.hooks=false hi',
      "codex -c 'features={hooks=false}' exec hi",
      'codex exec --disable hooks hi',
      'codex features disable hooks',
      'CODEX_HOME=$(mktemp -d) codex exec hi',
      'pnpm dlx @openai/codex exec -c features.codex_hooks=false hi',
      'qwen --bare -p hi',
      'opencode run --pure hi',
      'OPENCODE_CONFIG_DIR=/tmp/x opencode run hi',
      'claude "$FLAG" --settings "$FILE"',
    ],
    passes: [
      'claude -p "summarise the changes"',
      'claude --model opus -p hi',
      'claude --version',
      'claude mcp list',
      'claude --bare --help',
      `claude --settings '{"model": "opus"}' -p hi`,
      'claude --setting-sources user,project,local -p hi',
      'claude -p "what does --bare do?"',
      'CLAUDE_CONFIG_DIR=~/.claude claude -p hi',
      'ANTHROPIC_MODEL=opus claude -p hi',
      'codex exec "explain this"',
      'codex -c model=o3 exec hi',
      'codex features list',
      'CODEX_HOME=/home/dev/.codex codex exec hi',
      'gemini -p hi',
      'git clone --bare https://example.com/x.git',
      'export CLAUDE_CONFIG_DIR=/tmp/x',
      'grep -rn "claude --bare" docs',
      'HOME=/tmp/x npm test',
      'HOLDPOINT_HOME=/home/dev/.config/holdpoint claude -p hi',
    ],
  },
  mentions: /\b(?:claude|codex|gemini|qwen|opencode|copilot)\b/,
  maybe: 'may start an agent without its hooks',
  looks: [look(commandsIn, judge)],
})

function judge(command: SimpleCommand, { event, facts }: GuardInput): Caught | null {
  const program = launched(command)
  if (program === undefined) return null
  const set = commandsIn(event, facts).flatMap(setForLater)
  const found = switchedOff(program, [...set, ...command.assignments], facts.home)
  return found === undefined ? null : caught(command, program.name, found)
}

/** Variables that the rest of the line starts its programs with. */
function setForLater({ name, args, assignments }: SimpleCommand): readonly { name: string; value: Word }[] {
  if (name === '') return assignments
  if (name !== 'export' && name !== 'declare' && name !== 'typeset') return []
  return args.flatMap((word) => {
    const [, variable, value] = /^(\w+)=(.*)$/s.exec(exactText(word) ?? word.source) ?? []
    if (variable === undefined) return []
    const exact = exactText(word) !== undefined
    const form = [{ kind: exact ? ('text' as const) : ('unknown' as const), text: value ?? '' }]
    return [{ name: variable, value: { source: value ?? '', forms: [form], splits: false } }]
  })
}

function caught(command: SimpleCommand, agent: string, { by, unsure }: Switched): Caught {
  const detail = { effect: `${agent} without hooks`, via: [...command.via], at: [command.start, command.end] }
  const doubt = unsure === undefined ? {} : { unsure }
  return {
    caught: `starts ${agent} with ${by}, which leaves hooks out`,
    fragment: command.fragment,
    ...doubt,
    detail,
  }
}
