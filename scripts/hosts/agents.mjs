// The agents whose real programs the tests start, and the test files that are about them.

/**
 * The package of each, as test/hosts/package.json pins it.
 * @type {Readonly<Record<string, string>>}
 */
export const PACKAGES = {
  'claude-code': '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  copilot: '@github/copilot',
  grok: '@xai-official/grok',
  qwen: '@qwen-code/qwen-code',
  gemini: '@google/gemini-cli',
  droid: '@factory/cli-linux-x64',
  codebuddy: '@tencent-ai/agent-sdk',
  kimi: '@moonshot-ai/kimi-code',
  goose: '@aaif/goose-binary-linux-x64',
  opencode: 'opencode-linux-x64',
  kilo: '@kilocode/cli-linux-x64',
  pi: '@earendil-works/pi-coding-agent',
  cline: '@cline/cli-linux-x64',
  openclaw: 'openclaw',
}

/** @type {readonly string[]} */
export const AGENTS = Object.keys(PACKAGES)

/** In every run: what all agents need, programs that are no agents, and what was open once. */
export const ALWAYS = [
  'test/hosts/setup.test.ts',
  'test/hosts/claude-agent/claude-agent.test.ts',
  'test/hosts/claude-agent/types.test.ts',
  'test/hosts/runtimes/runtimes.test.ts',
  'test/hosts/six-ways.test.ts',
  'test/hosts/switches.test.ts',
]

/**
 * Only in the full depth of one of these agents, next to the file of each agent.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const IN_FULL = {
  'test/hosts/hosts.test.ts': ['claude-code', 'codex'],
  'test/hosts/around-the-host.test.ts': ['claude-code', 'codex'],
  'test/hosts/transcripts.test.ts': ['claude-code', 'codex'],
  'test/hosts/board.test.ts': ['claude-code', 'codex'],
  'test/hosts/approvals.test.ts': ['claude-code'],
  'test/hosts/stories.test.ts': ['claude-code'],
  'test/hosts/dialects/agent-plugin.test.ts': ['goose', 'cline'],
  'test/hosts/dialects/importers.test.ts': ['grok'],
  'test/hosts/dialects/opencode-ask.test.ts': ['opencode', 'kilo'],
  'test/hosts/dialects/packages.test.ts': ['opencode', 'kilo', 'pi', 'cline', 'openclaw'],
}

/** @param {string} agent */
export function fileOf(agent) {
  return `test/hosts/agents/${agent}.test.ts`
}

/**
 * All files of an agent in full depth.
 * @param {string} agent
 */
export function filesInFull(agent) {
  const more = Object.entries(IN_FULL).filter(([, agents]) => agents.includes(agent))
  return [fileOf(agent), ...more.map(([file]) => file)]
}
