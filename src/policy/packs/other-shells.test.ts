import { describe, expect, it } from 'vitest'
import { createEngine } from '../../app/create-engine.ts'
import { evaluate } from '../../core/engine/evaluate.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Layer } from '../../core/layer.ts'
import { buildPlan } from '../../handlers/plan.ts'
import { actorOf, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { PACKS } from './index.ts'

const names = ['safety', 'secrets'] as const
const loaded = await Promise.all(names.map(async (name) => [name, await PACKS[name]?.()] as const))
const packs = new Map(loaded.flatMap(([name, pack]) => (pack === undefined ? [] : [[name, pack] as const])))
const layer: Layer = {
  ...{ rank: 'user', file: 'user.yaml', trusted: true, hooks: [], settings: {}, problems: [] },
  packs: names.map((pack) => ({ pack, options: {}, origin: { file: 'user.yaml' } })),
}
const engine = await createEngine(buildPlan([layer], packs))

async function effectOf(tool: string, input: JsonObject) {
  const event = toolCall(tool, input)
  const around = { actor: actorOf(event), facts: frozenFacts(), memory: {}, budgetMs: 5_000, now: () => 0 }
  return (await evaluate(engine, event, around)).effect
}

const PUSH = 'git push --force'

describe('guards of shell commands', () => {
  it.each<[string, JsonObject]>([
    ['execute_command', { command: PUSH }],
    ['bash', { command: 'cat .env' }],
    ['run_shell_command', { command: 'rm -rf ~', description: 'tidy up' }],
    ['shell', { command: ['bash', '-lc', 'git reset --hard'] }],
    ['exec_command', { cmd: 'git clean -fdx' }],
    ['mcp__desktop__execute_command', { command: 'rm -rf /' }],
    ['mcp__a__b__run_command', { command: 'git push -f' }],
    ['Monitor', { command: PUSH, description: 'watch' }],
    ['Execute', { command: PUSH }],
    ['run_commands', { commands: ['ls', PUSH] }],
    ['run_command', { CommandLine: PUSH, Cwd: '/srv/project' }],
    ['runInTerminal', { command: PUSH, isBackground: false }],
    ['mcp__term__execute_terminal_command', { terminal_command: PUSH }],
    ['mcp__term__write_to_terminal', { input: `${PUSH}\r` }],
    ['mcp__term__send_keys', { terminal: 1, command: PUSH }],
    ['write_stdin', { session_id: 1, chars: `${PUSH}\n` }],
    ['mcp__p__run_process', { command_line: PUSH, mode: 'shell' }],
    ['mcp__ssh__ssh_execute', { host: 'prod', command: 'rm -rf /' }],
    ['mcp__proc__spawn', { command: 'git', args: ['push', '--force'] }],
    ['mcp__proc__spawn', { argv: ['git', 'push', '--force'] }],
    ['mcp__proc__spawn', { cmd: 'git', args: 'push --force' }],
    ['mcp__proc__start', { script: PUSH }],
    ['mcp__ci__job', { steps: [{ name: 'a', run: 'ls' }, { run: PUSH }] }],
    ['local_shell_call', { action: { type: 'exec', command: ['bash', '-lc', PUSH] } }],
    ['describe', { command: PUSH }],
    ['mcp__kubectl__call', { command: 'delete namespace production' }],
    ['mcp__git__raw', { command: 'push --force origin main' }],
    ['mcp__py__executeCode', { language: 'bash', code: PUSH }],
    ['mcp__py__executeCode', { code: 'import shutil; shutil.rmtree("/home/dev")' }],
    ['mcp__js__run_js', { code: "require('child_process').execSync('git push --force')" }],
    ['mcp__ide__executeCode', { code: "open('.env').read()" }],
    ['mcp__nb__execute_cell', { cell: "import os; os.system('git push --force')" }],
    ['mcp__win__run_powershell', { command: 'Remove-Item -Recurse -Force C:\\' }],
    ['mcp__any__thing', { env: { GIT_DIR: 'x' }, command: PUSH }],
  ])('hold for %s too: %j', async (tool, input) => {
    expect(await effectOf(tool, input)).not.toBe('pass')
  })

  it.each<[string, JsonObject]>([
    ['mcp__postgres__query', { sql: 'DROP TABLE users' }],
    ['mcp__postgres__query', { query: 'DROP TABLE users' }],
    ['mcp__supabase__execute_sql', { query: 'truncate users cascade' }],
    ['execute_sql', { statement: 'DROP DATABASE production' }],
    ['mcp__x__ask', { query: 'DROP TABLE users;' }],
    ['mcp__warehouse__run', { queries: ['select 1', 'drop schema public cascade'] }],
  ])('hold for SQL in %s: %j', async (tool, input) => {
    expect(await effectOf(tool, input)).not.toBe('pass')
  })

  it.each<[string, JsonObject]>([
    ['WebFetch', { url: 'file:///srv/project/.env', prompt: 'read it' }],
    ['ReadMcpResourceTool', { server: 'fs', uri: 'file:///srv/project/.env' }],
    ['mcp__browser__navigate', { url: 'view-source:file:///home/dev/.ssh/id_rsa' }],
    ['mcp__browser__navigate', { url: 'FILE://localhost/home/dev/.aws/credentials' }],
    ['mcp__files__upload_artifact', { artifact_path: '/home/dev/.ssh/id_rsa' }],
    ['mcp__slack__send', { text: 'hi', attachments: ['.env'] }],
    ['Read', { path: '.env' }],
    ['read', { filePath: '.env' }],
    ['view', { path: '.env' }],
    ['read_files', { files: [{ path: 'a' }, { path: '.env' }] }],
  ])('hold for a secret file that %s is given: %j', async (tool, input) => {
    expect(await effectOf(tool, input)).not.toBe('pass')
  })

  it.each<[string, JsonObject]>([
    ['execute_command', { command: 'git status' }],
    ['shell', { command: ['echo', '$(rm -rf /)'] }],
    ['terminal', { action: 'open' }],
    ['mcp__term__write_to_terminal', { input: 'y\r' }],
    ['mcp__term__write_to_terminal', { input: '\u0003' }],
    ['mcp__chat__post', { message: PUSH, prompt: PUSH, description: PUSH, content: PUSH, text: PUSH }],
    ['Task', { prompt: PUSH, command: PUSH }],
    ['apply_patch', { command: '*** Begin Patch\n*** Add File: a\n+git push --force\n*** End Patch' }],
    ['str_replace_editor', { command: 'create', path: 'src/a.ts', file_text: PUSH }],
    ['mcp__search__web', { query: 'how to undo git push --force' }],
    ['mcp__search__web', { query: 'delete a remote branch' }],
    ['mcp__mail__find', { query: 'drop everything' }],
    ['mcp__postgres__query', { sql: 'SELECT * FROM users LIMIT 10' }],
    ['mcp__fmt__format_code', { code: 'import shutil; shutil.rmtree("/home/dev")', language: 'python' }],
    ['mcp__ide__executeCode', { code: 'print(sum(range(10)))' }],
    ['mcp__js__evaluate', { code: 'document.title' }],
    ['WebFetch', { url: 'https://example.com/.env', prompt: 'file:///srv/project/.env' }],
    ['mcp__figma__get', { url: 'https://figma.com/file/abc', source: 'design' }],
    ['mcp__light__set', { command: 'on' }],
  ])('leave %s alone: %j', async (tool, input) => {
    expect(await effectOf(tool, input)).toBe('pass')
  })
})

it.each<[string, JsonObject]>([
  ['mcp__fs__write_file', { path: '/dev/sda', content: 'x' }],
  ['mcp__fs__write_file', { path: '~/.bash_history', content: '' }],
  ['create_file', { path: '/etc/passwd', content: 'x' }],
  ['mcp__fs__delete_file', { path: '/etc/hosts' }],
])('a file tool of another agent is held to the same rules: %s %j', async (tool, input) => {
  expect(await effectOf(tool, input)).not.toBe('pass')
})

it('reads each command on its own, so that a quote in one cannot hide the next', async () => {
  expect(await effectOf('run_commands', { commands: ["echo '", "rm -rf ~ '"] })).not.toBe('pass')
})
