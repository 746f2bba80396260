import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScreenSandbox, type ScreenSandbox } from '../e2e/screen.ts'

/** What `init` switches on, prints and writes. */

let sandbox: ScreenSandbox
beforeEach(() => {
  sandbox = createScreenSandbox()
})
afterEach(() => sandbox.remove())

const init = (...args: string[]) => sandbox.run(['init', '--host', 'claude-code', '--yes', ...args])
const policy = () => readFileSync(join(sandbox.user, '.config', 'holdpoint', 'config.yaml'), 'utf8')
const decision = async (command: string) =>
  (await sandbox.run(['test', '--tool', 'Bash', '--args', JSON.stringify({ command })])).split(':')[0]
const git = (...args: string[]) => execFileSync('git', args, { cwd: sandbox.project, encoding: 'utf8' })
const files = () => readdirSync(sandbox.user, { recursive: true }).map(String).sort()

describe('init --pack', () => {
  it('adds to the defaults, so that they stay on', async () => {
    const said = await init('--pack', 'mux', '--pack', 'scratchpad')
    expect(said).not.toContain('OFF')
    expect(policy()).toBe(
      'version: 1\npacks:\n  safety: true\n  secrets: true\n  self: true\n  mux: true\n  scratchpad: true\n',
    )
    expect(await decision('git push --force')).toBe('BLOCKED')
    expect(await decision('cat .env')).toBe('BLOCKED')
  })

  it('adds to the packs of an earlier init, and switches nothing off', async () => {
    await init('--pack', 'mux')
    await init('--pack', 'scratchpad')
    expect(policy()).toContain('mux: true')
    expect(policy()).toContain('scratchpad: true')
  })

  it('leaves defaults out only with --only, and shows them as OFF', async () => {
    const said = await init('--only', '--pack', 'mux')
    expect(said).toContain('OFF: `safety`, `secrets`, `self`.')
    expect(policy()).toContain('safety: false')
    expect(await sandbox.run(['status'])).toMatch(/^OFF: `safety`, `secrets`, `self`/)
    await init('--pack', 'safety', '--pack', 'secrets', '--pack', 'self')
    expect(await sandbox.run(['status'])).toMatch(/^Guarded: claude-code/)
    expect(await decision('git push --force')).toBe('BLOCKED')
  })

  it('needs packs for --only', async () => {
    expect(await init('--only')).toContain('--only: It needs the packs that stay on')
    expect(files()).not.toContain('.claude/settings.json')
  })
})

describe('init prints', () => {
  it('which agents it found, what it guards and how to see it again', async () => {
    for (const columns of [80, 60]) {
      const shown = await sandbox.screen(['init', '--yes'], columns)
      await expect(shown.replaceAll(/slowest +\d+ ms/g, 'slowest 9 ms')).toMatchFileSnapshot(
        `screens/init-${columns}.txt`,
      )
    }
  })
})

describe('init --dry-run', () => {
  it('shows the difference in every file and writes nothing', async () => {
    sandbox.write('.claude/settings.json', '{\n  "model": "opus"\n}\n')
    const before = files()
    const said = await sandbox.run(['init', '--dry-run'])
    expect(said).toContain(`${sandbox.user}/.claude/settings.json\n`)
    expect(said).toContain('"model": "opus"')
    expect(said).toContain('  +   "hooks": {')
    expect(said).toContain('  +   safety: true')
    expect(said).toContain('nothing was changed')
    expect(files()).toEqual(before)
    await sandbox.run(['init', '--yes'])
    expect(await sandbox.run(['init', '--dry-run'])).toContain('.claude/settings.json (no change)')
  })
})

describe('hooks for one checkout', () => {
  beforeEach(() => {
    git('init', '--quiet')
  })
  const exclude = () => readFileSync(join(sandbox.project, '.git', 'info', 'exclude'), 'utf8')

  it('are ignored by git, which uninstall reverts', async () => {
    const before = exclude()
    expect(await sandbox.run(['init', '--scope', 'local', '--dry-run'])).toContain(
      '  + /.claude/settings.local.json',
    )
    await init('--scope', 'local')
    await init('--scope', 'local')
    const mark = '# holdpoint: hooks of this checkout only\n/.claude/settings.local.json'
    expect(exclude()).toBe(`${before}${mark}\n${mark}.holdpoint-backup\n`)
    git('add', '--all')
    expect(git('ls-files')).not.toContain('settings.local.json')
    await sandbox.person(['uninstall', '--yes'])
    expect(exclude()).toBe(before)
  })

  it('do not change the exclusions if git ignores the file already', async () => {
    sandbox.write('project/.gitignore', '.claude/\n')
    const before = exclude()
    await init('--scope', 'local')
    expect(exclude()).toBe(before)
  })

  it('lead to a warning if git tracks the file', async () => {
    sandbox.write('project/.claude/settings.local.json', '{}\n')
    git('add', '--force', '.claude/settings.local.json')
    expect(await init('--scope', 'local')).toMatch(/WARNING: git tracks .*settings.local.json/)
  })

  it('with scope user are not written into a repository', async () => {
    await init()
    expect(existsSync(join(sandbox.project, '.claude'))).toBe(false)
    expect(git('status', '--porcelain')).toBe('')
  })
})

describe('calls that can be undone', () => {
  const hook = async (command: string, more: object = {}) => {
    const event = { session_id: 's', cwd: sandbox.project, hook_event_name: 'PreToolUse', ...more }
    const payload = { ...event, tool_name: 'Bash', tool_use_id: command, tool_input: { command } }
    const said = await sandbox.run(['hook', 'claude-code'], { stdin: JSON.stringify(payload) })
    return /"permissionDecision":"(\w+)"/.exec(said)?.[1] ?? 'none'
  }

  it.each([
    ['default', 'ask'],
    ['acceptEdits', 'ask'],
    ['dontAsk', 'deny'],
    ['bypassPermissions', 'deny'],
    ['somethingNew', 'deny'],
    [undefined, 'deny'],
  ])('ask only if the user chose that and the permission mode can ask: %s', async (mode, effect) => {
    // At the other levels Holdpoint asks anyway.
    sandbox.write('.config/holdpoint/config.yaml', 'version: 1\npacks: { safety: { level: paranoid } }\n')
    await init('--undoable', 'ask')
    expect(policy()).toContain('safety: { level: paranoid, undoable: ask }')
    expect(await hook('git branch -D topic', mode === undefined ? {} : { permission_mode: mode })).toBe(
      effect,
    )
    expect(await hook('git push --force', { permission_mode: mode })).toBe('deny')
  })

  it('are denied unless the user chose otherwise, whatever a project says', async () => {
    sandbox.write('.config/holdpoint/config.yaml', 'version: 1\npacks: { safety: { level: paranoid } }\n')
    await init()
    sandbox.write('project/.holdpoint/config.yaml', 'version: 1\npacks: { safety: { undoable: ask } }\n')
    expect(await hook('git branch -D topic', { permission_mode: 'default' })).toBe('deny')
  })
})
