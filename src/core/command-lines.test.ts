import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLinesOf } from './command-lines.ts'
import type { JsonObject } from './json.ts'

const lines = (name: string, input: JsonObject) => commandLinesOf({ name, input })?.lines

describe('the commands that a call would run', () => {
  it.each<[string, JsonObject, readonly string[] | undefined]>([
    ['Bash', { command: 'ls' }, ['ls']],
    ['Bash', { command: '' }, undefined],
    ['Read', { file_path: 'a', command: 'rm' }, undefined],
    ['shell', { command: ['ls', '-l', 'a b'] }, ["'ls' '-l' 'a b'"]],
    ['x', { commands: ['a', 'b'] }, ['a', 'b']],
    ['x', { command: 'head', args: ['-n', 5] }, ["head '-n' '5'"]],
    ['x', { env: { A: "it's", 'b-c': 'x', D: 5 }, cmd: 'ls' }, ["export A='it'\\''s'\nls"]],
    ['powershell', { command: 'ls' }, ["pwsh -Command 'ls'"]],
    ['docker', { command: 'ps' }, ['ps', 'docker ps']],
    ['run_code', { code: 'x', language: 'Ruby' }, ["ruby -e 'x'"]],
    ['run_code', { code: 'x' }, ["python3 -c 'x'", "node -e 'x'"]],
    ['x', { code: 'x' }, undefined],
    ['db', { query: 'select 1' }, ["psql -c 'select 1'"]],
    ['x', { a: { b: { c: { d: { cmd: 'ls' } } } } }, ['ls']],
    ['x', { a: { b: { c: { d: { e: { cmd: 'ls' } } } } } }, ['ls']],
    ['x', { a: [[{ cmd: 'ls' }]] }, ['ls']],
    ['x', { commands: [['ls', '-l'], ['pwd']] }, ["'ls' '-l'", "'pwd'"]],
    ['x', { arguments: '{"command": "ls"}' }, ['ls']],
    ['x', { arguments: '{"command": ' }, undefined],
    ['x', { command_base64: 'bHM=' }, ['ls']],
    ['x', { setup: 'rm -rf a' }, ['rm -rf a']],
    ['x', { setup: "git doesn't work" }, undefined],
    ['x', { setup: 'the command rm -rf a' }, undefined],
    ['x', { text: 'rm -rf a', title: 'rm -rf a' }, undefined],
    ['send_keys', { text: 'rm -rf a\r', description: 'rm -rf a' }, ['rm -rf a\n']],
    ['send_keys', { keys: ['l', 's'] }, undefined],
    ['send_keys', { keys: [...'rm -rf a'] }, ['rm -rf a']],
    ['x', { executable: '/bin/rm', arguments: ['-rf', 'a'] }, ["'/bin/rm' '-rf' 'a'"]],
    ['x', { path: 'README.md', options: { long: true } }, undefined],
    ['x', { command: 'rm', options: { recursive: true }, target: 'a' }, ["rm '--recursive' 'a'"]],
    ['x', { command: 'view', path: 'a' }, ['view']],
    ['git_push', { force: true, branch: 'main' }, ["git push '--force' 'main'"]],
    ['git_reset', { mode: 'hard' }, ["git reset 'hard'", "git reset '--hard'"]],
    ['mcp__git__delete_branch', { name: 'a', force: true }, ["git branch --delete '--force' 'a'"]],
    ['mcp__k8s__kubectl_delete', { resourceType: 'ns', name: 'a' }, ["kubectl delete 'ns' 'a'"]],
    [
      'mcp__aws__use',
      { service_name: 's3', operation_name: 'delete_bucket' },
      ["aws 's3api' 'delete-bucket'"],
    ],
    ['fetch', { method: 'delete', url: 'http://a' }, ["curl -X DELETE 'http://a'"]],
    ['fetch', { method: 'GET', url: 'http://a' }, undefined],
    ['mcp__x__lint', { code: "os.system('ls')" }, undefined],
    ['insert_execute_cell', { cell_source: '!ls', language: 'python' }, ["python3 -c '!ls'", 'ls']],
    ['mcp__github__get_secret_scanning_alert', { repo: 'a' }, undefined],
    ['run_cell', { code: '!ls' }, ["python3 -c '!ls'", "node -e '!ls'", 'ls']],
    [
      'mcp__x__y',
      { code: "os.system('ls')" },
      expect.arrayContaining([expect.stringContaining('python3 -c')]),
    ],
    ['mcp__terminal__call', { input: { command: 'ls' } }, ['ls']],
    ['mcp__terminal__call', { lines: [{ text: 'rm -rf a' }] }, ['rm -rf a']],
    ['x', { script: { command: 'ls' } }, ['ls']],
    ['x', { scripts: [{ run: 'ls' }] }, ['ls']],
    ['run', { code: { python: 'x' } }, ["python3 -c 'x'"]],
    ['run_python', { content: 'x' }, ["python3 -c 'x'"]],
    ['run', { language: 'python', content: 'x' }, ["python3 -c 'x'"]],
    ['execute_cell', { content: '!ls' }, ["python3 -c '!ls'", "node -e '!ls'", 'ls']],
    [
      'repl_eval',
      { form: "os.system('ls')" },
      expect.arrayContaining([expect.stringMatching(/^python3 -c/)]),
    ],
    ['Workflow', { script: 'await agent("x")' }, [`node -e 'await agent("x")'`]],
    ['x', { cmd: ['sh', '-c'], args: ['ls'] }, ["'sh' '-c' 'ls'"]],
    ['x', { command: 'python3', stdin: 'x' }, ['python3', "printf %s 'x' | python3"]],
    ['kubectl', { args: 'delete ns a' }, expect.arrayContaining(['kubectl delete ns a'])],
    ['mcp__aws__s3', { subcommand: 'rb', args: ['s3://a'] }, expect.arrayContaining(["aws s3 rb 's3://a'"])],
    ['mcp__tf__run', { command: 'destroy' }, expect.arrayContaining(['terraform destroy'])],
    ['x', { entrypoint: 'rm', args: ['-rf', 'a'] }, ["'rm' '-rf' 'a'"]],
    ['x', { a: ['rm', '-rf', 'a'] }, ["'rm' '-rf' 'a'"]],
    ['x', { a: ['git', 'node'] }, undefined],
    ['x', { a: 'ls && rm -rf a' }, ['ls && rm -rf a']],
    ['x', { a: '(rm -rf a)' }, ['(rm -rf a)']],
    ['x', { a: 'nice rm -rf a' }, ['nice rm -rf a']],
    ['x', { a: 'It is nice; git is, too.' }, undefined],
    ['x', { env: [{ name: 'A', value: 'x' }, 'B=y=z'], cmd: 'ls' }, ["export A='x'\nexport B='y=z'\nls"]],
    ['x', { prompt: 'ls', description: 'ls', content: 'ls', message: 'ls', text: 'ls' }, undefined],
  ])('of %s with %j', (name, input, expected) => {
    expect(lines(name, input)).toEqual(expected)
  })

  it('are run in the folder that the call names', () => {
    expect(commandLinesOf({ name: 'x', input: { cmd: 'ls', working_directory: '/a' } })).toEqual({
      lines: ['ls'],
      cwd: '/a',
    })
  })
})

it('an input that nests too deep is not read, and says so', () => {
  const deep = (levels: number): JsonObject =>
    Array.from({ length: levels }).reduce<JsonObject>((inner) => ({ a: inner }), { command: 'ls' })
  expect(commandLinesOf({ name: 'x', input: deep(40) })).toEqual({ lines: ['ls'] })
  expect(commandLinesOf({ name: 'x', input: deep(500) })?.unread).toBeDefined()
  expect(commandLinesOf({ name: 'x', input: deep(4000) })?.unread).toBeDefined()
})

it('a command is found under every spelling of its key', () => {
  const spellings = ['command_line', 'CommandLine', 'command-line', 'commandLine', 'shell_command', 'testCmd']
  for (const key of spellings) expect(lines('x', { [key]: 'ls' })).toEqual(['ls'])
})

it('commandLinesOf never throws, whatever the input is', () => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (name, input) => {
      commandLinesOf({ name, input: input as JsonObject })
    }),
  )
})
