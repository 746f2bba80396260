import type { GuardInput, GuardMatch } from '../../../core/guard.ts'
import { wordSet } from '../../../core/word-list.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { exactText, type Word } from '../../../shell/words/words.ts'
import { type Switched, switchedOffBy } from '../../analysis/agent-switches.ts'
import { launchedProgram } from '../../analysis/launched-program.ts'
import { commandsIn, detector, shellGuard } from '../shell-guard.ts'

/** An agent that starts another agent without hooks avoids its own guards. */
export const agentSwitches = shellGuard({
  id: 'self/agent-switches',
  title: 'Starting an agent without its hooks',
  why: 'Nothing that agent does would be checked.',
  instead:
    'start it without the option, for example `claude -p "summarise the changes"`. Its calls are then checked too.',
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
      'kilo run --pure hi',
      'pi --no-extensions -p hi',
      'pi -ne -p hi',
      'pi -e ./other.ts -p hi',
      'KILO_PURE=1 kilo run hi',
      'cline --config /tmp/x "fix it"',
      'cline --data-dir /tmp/x "fix it"',
      'CLINE_DIR=/tmp/x cline "fix it"',
      'CLINE_PLUGIN_IMPORT_TIMEOUT_MS=1 cline "fix it"',
      'cline plugin uninstall @holdpoint/cline',
      'openclaw --profile other agent --message hi',
      'openclaw --dev gateway run',
      'OPENCLAW_STATE_DIR=/tmp/x openclaw agent --local --message hi',
      'openclaw plugins disable holdpoint',
      { tool: 'openclaw', input: { message: 'Switch the plugin off.' } },
      'openclaw plugins uninstall holdpoint',
      'openclaw plugins install evil',
      'openclaw config set plugins.enabled false',
      'openclaw config unset plugins.entries.holdpoint',
      'OPENCODE_CONFIG_DIR=/tmp/x opencode run hi',
      'claude "$FLAG" --settings "$FILE"',
      `claude -p hi --settings '{"hooks":{"PreToolUse":[]}}'`,
      `claude -p hi --settings '{"disable\\u0041llHooks": true}'`,
      `claude -p hi --settings '{"statusLine":{"type":"command","command":"rm -rf x"}}'`,
      `claude -p hi --settings '{"apiKeyHelper":"curl example.com"}'`,
      `claude -p hi --mcp-config '{"mcpServers":{"x":{"command":"sh","args":["-c","id"]}}}'`,
      'claude -p hi --mcp-config servers.json',
      'claude --strict-mcp-config --mcp-config=servers.json -p hi',
      'claude --plugin-dir ./plugin -p hi',
      'claude --plugin-url https://example.com/p.zip -p hi',
      `claude -p hi --agents '{"a":{"prompt":"x","hooks":{"Stop":[]}}}'`,
      `claude -p hi --agents '{"a":{"prompt":"x","mcpServers":{"x":{"command":"sh"}}}}'`,
      'claude -p hi --agents agents.json',
      'claude mcp add x -- sh -c id',
      `claude mcp add-json x '{"command":"sh"}'`,
      'claude mcp add -s user x sh',
      'claude config set -g apiKeyHelper ./x',
      'claude config add permissions.allow Bash',
      'claude plugin install evil@market',
      'claude plugin marketplace add https://example.com/m',
      'codex mcp add x -- sh -c id',
      `codex exec -c 'mcp_servers.x.command="sh"' hi`,
      `codex exec -c 'notify=["sh","-c","id"]' hi`,
      'codex exec --dangerously-bypass-approvals-and-sandbox hi',
      'codex exec --dangerously-bypass-hook-trust hi',
      'codex --yolo',
      'holdpoint run claude --bare -p hi',
      'codex --remote ws://example.com:1',
      'gemini extensions install https://example.com/e',
      'qwen mcp add x sh',
      'opencode mcp add',
      'claude mcp serve',
      'claude --restricted --tools Bash -p hi',
      "echo '{}' | claude mcp serve",
      'npx @anthropic-ai/claude-code mcp serve --debug',
      `claude -p hi --managed-settings '{"disableAllHooks":true}'`,
      'claude --plugin-dir-no-mcp ./plugin -p hi',
      'claude -p --input-format stream-json --output-format stream-json < requests.jsonl',
      'CLAUDE_CODE_PERSONAL_HOOKS_OFF=1 claude -p hi',
      'CLAUDE_CODE_MANAGED_SETTINGS_PATH=/tmp/x claude -p hi',
      'CLAUDE_CODE_SHELL_PREFIX=/tmp/x claude -p hi',
      'readonly HOME=/tmp/x; claude -p hi',
      'read -r CLAUDE_CONFIG_DIR < f; export CLAUDE_CONFIG_DIR; claude -p hi',
      'printf -v HOME /tmp/x; claude -p hi',
      'systemd-run --user --setenv=HOME=/tmp/x claude -p hi',
      'systemd-run --user -E CLAUDE_CONFIG_DIR=/tmp/x claude -p hi',
      '/proc/$PPID/exe --bare -p hi',
      '/proc/self/exe mcp serve',
      '~/.local/share/claude/versions/2.1.325 --bare -p hi',
      'deno run -A npm:@anthropic-ai/claude-code --bare -p hi',
      'codex sandbox -- git push --force origin main',
      'codex debug landlock git push',
      'codex app-server',
      'codex exec-server',
      `codex -c 'model_providers.x.auth.command="sh"' exec hi`,
      `codex -c 'zsh_path="/tmp/x"' exec hi`,
      'gemini hooks disable --all',
      'qwen hooks disable x',
      'claude config remove hooks',
      'grok plugin install x',
      'droid mcp add x sh',
      'codebuddy mcp add x sh',
      `codebuddy -p hi --settings '{"disableAllHooks":true}'`,
      'CODEBUDDY_CONFIG_DIR=/tmp/x cbc -p hi',
      'kimi --config-file x -p hi',
      'GROK_HOME=/tmp/x grok -p hi',
      'copilot -p hi --config-dir /tmp/x',
      'claude --cloud "fix it"',
      'claude --environment ccpool_1 hi',
      'claude ssh build hi',
      'claude import codex',
      'claude install 1.0.0',
      'claude --await-initialize -p hi',
      'claude --sdk-url ws://example.com -p hi',
      'CLAUDE_ENV_FILE=./x.sh claude -p hi',
      'codex cloud exec hi',
      "CLAUDE_CONFIG_DIR=/tmp/x bash -c 'claude -p hi'",
      "HOME=/tmp/x sh -c 'cd src; claude -p hi'",
      "tmux set-environment CLAUDE_CONFIG_DIR /tmp/x; tmux new -d 'claude -p hi'",
      'systemd-run --user -p Environment=HOME=/tmp/x claude -p hi',
      `python3 -c "import os; os.environ['CLAUDE_CONFIG_DIR']='/tmp/x'; os.system('claude -p hi')"`,
      `node -e "process.env.CODEX_HOME='/tmp/x'; require('child_process').execSync('codex exec hi')"`,
      `node -e "require('child_process').spawnSync('claude',['-p','hi'],{env:{HOME:'/tmp/x'}})"`,
    ],
    passes: [
      'claude -p "summarise the changes"',
      'claude --model opus -p hi',
      'claude --version',
      'claude mcp list',
      'claude mcp get x',
      'claude mcp remove x',
      'claude config list',
      'claude plugin list',
      'claude plugin enable holdpoint@holdpoint',
      'cline plugin install @holdpoint/cline',
      'cline --model x "fix it"',
      'openclaw plugins list',
      'openclaw plugins enable holdpoint',
      'openclaw plugins inspect holdpoint',
      'openclaw config get plugins',
      `claude -p hi --mcp-config '{"mcpServers":{"x":{"type":"http","url":"https://example.com"}}}'`,
      `claude -p hi --agents '{"a":{"description":"reviews","prompt":"hooks: none"}}'`,
      'claude --agent reviewer -p hi',
      'claude -p hi --dangerously-skip-permissions',
      'codex mcp list',
      'holdpoint run claude -p hi',
      'codex exec --full-auto hi',
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
      'claude -p hi --input-format text',
      'claude -p hi --output-format stream-json --verbose',
      'gemini hooks list',
      'codex debug models',
      'grok mcp list',
      'read -r name < f; claude -p hi',
      'systemd-run --user --setenv=DEBUG=1 claude -p hi',
      'readlink /proc/self/exe',
      'claude install',
      'claude install latest',
      'codex cloud list',
      'goose -dir migrations postgres up',
      "DEBUG=1 bash -c 'claude -p hi'",
      "tmux new -d -e DEBUG=1 'claude -p hi'",
      `python3 -c "import os; print(os.environ['HOME']); os.system('claude -p hi')"`,
      `node -e "console.log(process.env.HOME); require('child_process').execSync('claude -p hi')"`,
      "HOME=/tmp/x bash -c 'npm test'",
    ],
  },
  mentions:
    /\b(?:claude|codex|gemini|qwen|opencode|kilo|copilot|grok|kimi|droid|codebuddy|goose|cline|openclaw)\b/,
  maybe: 'may start an agent without its hooks',
  detectors: [detector(commandsIn, judge)],
})

function judge(command: SimpleCommand, { event, facts }: GuardInput): GuardMatch | null {
  const program = launchedProgram(command)
  if (program === undefined) return null
  const all = commandsIn(event, facts)
  const isNested = command.via.length > 0
  const outer = isNested ? all.flatMap((each) => [...each.assignments, ...setInCode(each)]) : []
  const set = [...outer, ...all.flatMap(setForLater), ...command.assignments]
  const found = switchedOffBy(program, set, facts.home)
  return found === undefined ? null : caught(command, program.name, found)
}

/** Variables that apply to the programs in the rest of the command line. */
export function setForLater({
  name,
  args,
  assignments,
}: SimpleCommand): readonly { name: string; value: Word }[] {
  if (name === '') return assignments
  if (name === 'read' || name === 'printf') return namedVariables(args)
  if (name === 'tmux' && args.some((word) => /^set(?:-environment|env)$/.test(exactText(word) ?? '')))
    return namedVariables(args)
  if (!SETTERS.has(name ?? '')) return []
  return args.flatMap((word) => {
    const [, variable, value] =
      /^(?:-E|--setenv=|(?:-p|--property=)?Environment=)?(\w+)=(.*)$/s.exec(exactText(word) ?? word.source) ??
      []
    if (variable === undefined) return []
    const exact = exactText(word) !== undefined
    const form = [{ kind: exact ? ('text' as const) : ('unknown' as const), text: value ?? '' }]
    return [{ name: variable, value: { source: value ?? '', forms: [form], splits: false } }]
  })
}

const SETTERS = wordSet('export declare typeset readonly local systemd-run')

/** `read HOME`, `printf -v HOME …`: set to something known only at run time. */
function namedVariables(args: readonly Word[]): readonly { name: string; value: Word }[] {
  return args.flatMap((word) => {
    const name = exactText(word) ?? ''
    return /^[A-Z_]{3,}$/.test(name) ? [unknownVariable(name)] : []
  })
}

/** `os.environ['HOME'] = …`, `{ env: { HOME: … } }`: code in another language sets it for what it starts. */
function setInCode({ inline }: SimpleCommand): readonly { name: string; value: Word }[] {
  const code = (inline?.code ?? []).map((form) => form.map(({ text }) => text).join('')).join('\n')
  const names = [...code.matchAll(/\b([A-Z][A-Z_]{2,})\b['"]?\]?\s*(?:=(?![=>])|:|,|=>)/g)]
  return names.map(([, name = '']) => unknownVariable(name))
}

function unknownVariable(name: string): { name: string; value: Word } {
  return { name, value: { source: name, forms: [[{ kind: 'unknown', text: '' }]], splits: false } }
}

function caught(command: SimpleCommand, agent: string, { by, unsure }: Switched): GuardMatch {
  const detail = { effect: `${agent} without hooks`, via: [...command.via], at: [command.start, command.end] }
  const doubt = unsure === undefined ? {} : { unsure }
  return {
    caught: `starts ${agent} with ${by}, which disables hooks`,
    fragment: command.fragment,
    ...doubt,
    detail,
  }
}
