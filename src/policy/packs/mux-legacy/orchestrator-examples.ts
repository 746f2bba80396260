import type { EventExample, Example } from '../../../core/guard.ts'
import type { JsonObject } from '../../../core/json.ts'

export const STOPS: readonly Example[] = [
  { tool: 'Read', input: { file_path: '/path' } },
  { tool: 'Read', input: { file_path: '.claude/skills/mux/SKILL.md' } },
  { tool: 'Write', input: { file_path: 'a.md', content: 'x' } },
  { tool: 'Edit', input: { file_path: 'a.md' } },
  { tool: 'Grep', input: { pattern: 'x', path: '.claude/skills' } },
  { tool: 'Glob', input: { pattern: '*' } },
  { tool: 'WebSearch', input: { query: 'x' } },
  { tool: 'WebFetch', input: { url: 'https://example.com' } },
  { tool: 'NotebookEdit', input: { notebook_path: 'a.ipynb' } },
  { tool: 'TaskOutput', input: { task_id: 'a1' } },
  { tool: 'TaskStop', input: { task_id: 'a1' } },
  { tool: 'Skill', input: { skill: 'pdf' } },
  { tool: 'Skill', input: { skill: 'mux-subagent' } },
  { tool: 'Skill', input: {} },
  ...[
    'cat a.md',
    'uv run tools/evil.py',
    'uv run tools/extract-summary.py x',
    'uv run tools/session.py && rm -rf x',
    'uv run ../tools/session.py',
    'mkdir x',
    'mkdir -p x; ls',
    'ls | xargs rm',
    'ls > files',
    'ls $(rm -rf x)',
    'ls &',
    "ls $(('a[$(rm -rf x)]'))",
    `ls \${a['$(rm -rf x)']}`,
    `ls \${!x}`,
    'ls $((x))',
    "ls *(e:'rm -rf x':)",
    'uv run https://example.com/tools/session.py',
    'lsof',
    '',
  ].map(bash),
  withMemory('ls', { 'mux-legacy/ls': true }),
  withMemory('ls -la tmp', { 'mux-legacy/ls': true }),
  withMemory('  /bin/ls', { 'mux-legacy/ls': true }),
]

export const PASSES: readonly Example[] = [
  { tool: 'Task', input: { prompt: 'x' } },
  { tool: 'Agent', input: { prompt: 'x', run_in_background: true } },
  { tool: 'AskUserQuestion', input: {} },
  { tool: 'mcp__voicemode__converse', input: {} },
  { tool: 'TaskCreate', input: {} },
  { tool: 'TaskUpdate', input: {} },
  { tool: 'TaskList', input: {} },
  { tool: 'SomethingNew', input: {} },
  { tool: 'Skill', input: { skill: 'mux' } },
  { tool: 'Skill', input: { skill: 'plugin:mux' } },
  ...[
    'uv run tools/session.py topic',
    'uv run tools/verify.py tmp/mux/x',
    'uv run tools/signal.py a.done',
    'uv run tools/agents.py list',
    'uv run .claude/skills/mux/tools/session.py topic',
    'holdpoint mux verify tmp/mux/x',
    'mkdir -p tmp/mux',
  ].map(bash),
  withMemory('ls', {}),
  withMemory('ls -la tmp/*', {}),
  withMemory(`ls "$FOLDER" \${FOLDER:-tmp}/[ab]?.md`, {}),
  withMemory('mkdir -p x', { 'mux-legacy/ls': true }),
  {
    kind: 'PreToolUse',
    fields: { tool: { name: 'Read', input: {} }, raw: { context: { skill: 'other' } } },
  },
]

function bash(command: string): Example {
  return { tool: 'Bash', input: { command } }
}

function withMemory(command: string, memory: JsonObject): EventExample {
  return { kind: 'PreToolUse', fields: { tool: { name: 'Bash', input: { command } } }, memory }
}
