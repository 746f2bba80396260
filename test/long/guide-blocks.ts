/** What a block of a guide needs to be typed in an empty project, where that is more than the guide says. */
export interface BlockSetting {
  readonly page: string
  /** The first line of the block, or its beginning. */
  readonly begins: string
  /** Files of the project, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Commands that a reader has typed before. */
  readonly before?: string
  /** The exit code, if the block shows something that is stopped. */
  readonly exitCode?: number
  /** The answers that a person types. A menu is answered with what is selected. */
  readonly answers?: readonly string[]
  /** A word that stands for an id, and the command that prints it. */
  readonly stands?: Readonly<Record<string, string>>
}

const BLOCKED = 2
const LAST_RECORD = `holdpoint log --json --limit 1 | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'`
const STOP_ONE = `echo '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push --force"}}' | holdpoint hook claude-code`

const HANDOFF = `Result: the parser is done, in src/parser.ts. Next: check it.
Use the quality-agent subagent to check it.
HANDOFF_TOKEN: UNIT_TESTS_20260115_120000
`

/** Next to the programs of the guide, where Python finds it. */
const PYTHON_PACKAGE = 'mkdir -p agent && cp -r "$HOLDPOINT_PACKAGE/python/src/holdpoint" agent/'

const RULE = `version: 1
rules:
  - { id: no-secret-file, match: Write, when: { path: "**/secret.txt" }, deny: Nobody writes secret.txt. }
`
const HOOK = 'version: 1\nhooks: { PreToolUse: [{ id: guard, match: Bash, run: "true" }] }\n'
const SETTINGS = {
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] },
}

export const BLOCK_SETTINGS: readonly BlockSetting[] = [
  { page: 'getting-started.md', begins: 'npx holdpoint init', answers: [] },
  { page: 'fleet.md', begins: 'holdpoint fleet enroll ./published', answers: ['yes'] },
  { page: 'fleet.md', begins: 'holdpoint fleet unenroll', answers: ['yes'] },
  { page: 'guard-your-agents.md', begins: 'npx holdpoint init\n', answers: [] },
  { page: 'guard-your-agents.md', begins: 'npx holdpoint init --host cursor', answers: [] },
  // The hooks of Codex wait for a person who trusts them in Codex.
  { page: 'guard-your-agents.md', begins: 'npx holdpoint doctor', exitCode: 1 },
  { page: 'guard-your-agents.md', begins: 'npx holdpoint uninstall', answers: ['yes'] },
  {
    page: 'guard-your-agents.md',
    begins: 'npx holdpoint explain --last',
    before: STOP_ONE,
  },
  {
    page: 'false-positives.md',
    begins: 'holdpoint test\n',
    // The guide changes the user's own configuration.
    before:
      'printf "version: 1\\npacks:\\n  safety: { guards: { safety/git/force-push: ask } }\\n" > "$HOLDPOINT_HOME/config.yaml"',
  },
  {
    page: 'hook-scripts.md',
    begins: 'mkdir -p .claude/hooks',
    before: 'mkdir -p node_modules && ln -s "$HOLDPOINT_PACKAGE" node_modules/holdpoint',
  },
  {
    page: 'hook-scripts.md',
    begins: 'npx holdpoint lint',
    files: { '.claude/settings.json': JSON.stringify(SETTINGS) },
  },
  { page: 'hook-scripts.md', begins: 'npx holdpoint trust', answers: ['yes'] },
  {
    page: 'learn-from-sessions.md',
    begins: 'holdpoint replay  ',
    before: STOP_ONE,
    files: { 'events.jsonl': '{"command": "git push --force"}\n' },
  },
  {
    page: 'learn-from-sessions.md',
    begins: 'holdpoint replay --against main',
    before:
      'git init -q -b main && git add -A && git -c user.name=x -c user.email=x@example.com commit -qm first',
    files: { '.holdpoint/config.yaml': 'version: 1\n', 'old-policy.yaml': 'version: 1\n' },
  },
  {
    page: 'learn-from-sessions.md',
    begins: 'holdpoint log --erase',
    before: STOP_ONE,
    answers: ['yes'],
    stands: { 'RECORD-ID': LAST_RECORD },
  },
  { page: 'migrate-hook-scripts.md', begins: 'holdpoint test --tool Task', exitCode: BLOCKED },
  { page: 'migrate-hook-scripts.md', begins: 'holdpoint test --tool Read', exitCode: BLOCKED },
  {
    page: 'migrate-hook-scripts.md',
    begins: 'holdpoint test --tool Write',
    files: { '.holdpoint/config.yaml': RULE },
    exitCode: BLOCKED,
  },
  {
    page: 'claude-code-plugin.md',
    begins: 'npx holdpoint init --renew',
    before: 'holdpoint init --host claude-code --yes',
  },
  { page: 'collective.md', begins: 'npx holdpoint test --handoff', files: { 'message.md': HANDOFF } },
  {
    page: 'use-what-you-have.md',
    begins: 'npx holdpoint init --scope local',
    files: { '.claude/settings.local.json': JSON.stringify(SETTINGS) },
    answers: ['yes'],
  },
  { page: 'use-what-you-have.md', begins: 'npx holdpoint adopt --undo', answers: ['yes'] },
  {
    page: 'trust.md',
    begins: 'holdpoint trust\n',
    files: { '.holdpoint/config.yaml': HOOK },
    answers: ['yes'],
  },
  { page: 'trust.md', begins: 'holdpoint trust --list', stands: { FILE: 'echo .holdpoint/config.yaml' } },
  { page: 'massgen.md', begins: 'npx holdpoint trust --config', answers: ['yes'] },
  { page: 'agents-with-plugins.md', begins: 'npx holdpoint uninstall', answers: ['yes'] },
  { page: 'python.md', begins: 'npx holdpoint init --renew', before: PYTHON_PACKAGE },
]
