import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
  sandbox.userConfig('version: 1\npacks: { safety: true, self: true }\n')
})
afterEach(() => sandbox.remove())

const SECRET = 'hunter2-correct-horse'
const config = () => join(sandbox.project, '.holdpoint', 'config.yaml')

/** Everything in Holdpoint's folder, as text. */
function kept(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

const decision = async (tool: string, input: object) =>
  JSON.parse((await sandbox.hook(call(tool, input))).stdout).hookSpecificOutput?.permissionDecision

describe('a project file that is a link to a password file', () => {
  it.each([
    ['at the project file', '.holdpoint/config.yaml'],
    ['at the local file', '.holdpoint/config.local.yaml'],
    ['through a linked folder', '.holdpoint'],
  ])('%s shows its text neither to the model nor the journal nor the cache', async (_name, path) => {
    const outside = join(sandbox.folder, 'user')
    mkdirSync(outside)
    writeFileSync(join(outside, 'config.yaml'), `machine example.com password ${SECRET}\n`)
    mkdirSync(dirname(join(sandbox.project, path)), { recursive: true })
    symlinkSync(path === '.holdpoint' ? outside : join(outside, 'config.yaml'), join(sandbox.project, path))
    const start = { session_id: 's', hook_event_name: 'SessionStart', source: 'startup' }
    const prompt = { session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'hello' }
    const said = [
      await sandbox.hook(start),
      await sandbox.hook(prompt),
      await sandbox.hook(call('Bash', { command: 'ls' })),
      await sandbox.run(['doctor']),
      await sandbox.run(['explain', '--tool', 'Bash', '--command', 'ls']),
      await sandbox.run(['lint']),
      await sandbox.run(['check']),
      await sandbox.run(['log', '--json']),
    ]
    expect(said.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain(SECRET)
    expect(kept(sandbox.home)).not.toContain(SECRET)
    expect(said[0]?.stdout).toContain('link out of the project')
  })
})

describe('an invalid project file', () => {
  it('asks before calls that it might forbid, and lets reads and prompts pass', async () => {
    sandbox.write('.holdpoint/config.yaml', `version: [\n  ${SECRET}\n`)
    expect(await decision('Bash', { command: 'ls' })).toBe('ask')
    expect(await decision('Bash', { command: 'git push --force' })).toBe('deny')
    expect(await decision('Read', { file_path: config() })).toBeUndefined()
    const prompt = await sandbox.hook({
      session_id: 's',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'hello',
    })
    expect(prompt).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(config()) })
    expect(prompt.stdout).not.toContain(SECRET)
  })

  it('may be repaired by the agent if the user agrees, and cannot be deleted', async () => {
    sandbox.write('.holdpoint/config.yaml', 'version: [\n')
    const input = { file_path: config(), content: 'version: 1\n' }
    expect(await decision('Write', input)).toBe('ask')
    expect(await decision('Bash', { command: `rm ${config()}` })).toBe('deny')
    expect(await decision('Write', { ...input, file_path: join(sandbox.home, 'config.yaml') })).toBe('deny')
    writeFileSync(config(), 'version: 1\n')
    expect(await decision('Write', input)).toBe('deny')
    expect(await decision('Bash', { command: 'ls' })).toBeUndefined()
  })

  it('keeps its last valid content', async () => {
    sandbox.write(
      '.holdpoint/config.yaml',
      'version: 1\nrules: [ { id: no-ls, match: Bash, when: { shell: { command: ls } }, deny: not here } ]\n',
    )
    expect(await decision('Bash', { command: 'ls' })).toBe('deny')
    sandbox.write('.holdpoint/config.yaml', 'version: [\n')
    expect(await decision('Bash', { command: 'ls' })).toBe('deny')
    expect(await decision('Bash', { command: 'pwd' })).toBeUndefined()
  })
})
