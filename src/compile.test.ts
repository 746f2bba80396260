import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import { homeLayout } from './world/home.ts'
import { contentHash, pinOf, writeTrust } from './world/trust.ts'

let folder: string
const project = () => join(folder, 'project')
const home = () => homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') })

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-compile-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** Vouches for these files as they are. */
function vouchFor(...files: readonly string[]): void {
  writeTrust(home().trust, new Map(files.map((file) => [file, pinOf(file)])))
}

function compiled(lastGood = {}) {
  return compile({ home: home(), project: project(), packs: [], lastGood })
}

const HOOK = 'version: 1\nhooks: { PreToolUse: [ { run: ./check.sh } ] }\n'

describe('relative paths', () => {
  it.each([
    ["of a person's own file start beside it", 'holdpoint/config.yaml', 'holdpoint'],
    ['of a project start at its root', 'project/.holdpoint/config.yaml', 'project'],
  ])('%s', async (_name, file, root) => {
    write(file, HOOK)
    const { plan } = await compiled()
    expect(plan.hooks.find(({ run }) => run.type === 'command')?.run.root).toBe(join(folder, root))
  })
})

describe('imports', () => {
  const importing = 'version: 1\nimports: [ { source: holdpoint-yaml, file: ./more.yaml } ]\n'
  const commands = async () => (await compiled()).plan.hooks.filter(({ run }) => run.type === 'command')

  it('bring in the hooks of a file, with its own place, and watch it', async () => {
    write('holdpoint/config.yaml', importing)
    const more = write('holdpoint/more.yaml', HOOK)
    const { plan, inputs } = await compiled()
    const hook = plan.hooks.find(({ run }) => run.type === 'command')
    expect(hook).toMatchObject({ rank: 'user', trusted: true, origin: { file: more, line: 2 } })
    expect(inputs).toContain(more)
  })

  it('of a file nobody vouched for bring in nothing', async () => {
    write('project/more.yaml', HOOK)
    const config = write('project/.holdpoint/config.yaml', importing)
    expect(await commands()).toEqual([])
    writeTrust(home().trust, new Map([[config, contentHash(importing)]]))
    expect(await commands()).toMatchObject([{ rank: 'project', trusted: false }])
  })

  it.each([
    ['a format nobody knows', '[ nonsense ]', 'There is no format `nonsense`'],
    ['a format that has no usual place', '[ holdpoint-yaml ]', 'name the file'],
  ])('of %s are told', async (_name, list, message) => {
    write('holdpoint/config.yaml', `version: 1\nimports: ${list}\n`)
    const { broken, complete } = await compiled()
    expect(broken).toMatchObject([
      { code: 'CONFIG_VALUE', message: expect.stringContaining(message), line: 2 },
    ])
    // The rest of the file is in force.
    expect(complete).toBe(true)
  })

  it('that are broken keep what they last said', async () => {
    write('holdpoint/config.yaml', importing)
    write('holdpoint/more.yaml', HOOK)
    const { lastGood } = await compiled()
    write('holdpoint/more.yaml', 'version: [')
    const { plan, broken, complete } = await compiled(lastGood)
    expect(broken).toHaveLength(1)
    expect(complete).toBe(true)
    expect(plan.hooks.some(({ run }) => run.type === 'command')).toBe(true)
    expect((await compiled()).complete).toBe(false)
  })
})

const policy = (id: string) => `version: 1
hooks: { PreToolUse: [ { id: ${id}, run: "true" } ] }
`

describe('what counts by itself', () => {
  const ids = async () => (await compiled()).plan.hooks.map(({ id }) => id)

  it.each([
    ['by its path', (user: string) => user],
    ['through a link', (user: string) => linked(user)],
  ])('is never replaced by an import of it, %s', async (_name, pathOf) => {
    const user = write('holdpoint/config.yaml', policy('mine'))
    const file = pathOf(user)
    for (const source of ['holdpoint-yaml', 'massgen-yaml', 'claude-settings']) {
      const text = `version: 1\nimports: [ { source: ${source}, file: ${file} } ]\n`
      vouchFor(write('project/.holdpoint/config.yaml', text))
      const { plan, broken, complete } = await compiled()
      expect(plan.hooks.filter(({ id }) => id === 'mine')).toMatchObject([{ rank: 'user', trusted: true }])
      expect(broken).toMatchObject([
        { code: 'CONFIG_VALUE', message: expect.stringContaining('counts by itself') },
      ])
      expect(complete).toBe(true)
    }
  })

  function linked(target: string): string {
    const link = join(folder, 'link.yaml')
    symlinkSync(target, link)
    return link
  }

  it.each([
    'holdpoint/config.yaml',
    'project/.holdpoint/config.yaml',
    'project/.holdpoint/config.local.yaml',
  ])('%s is in our own format, whatever it looks like', async (path) => {
    write(path, `${policy('mine').replace('version: 1\n', '')}agents:\n  - { handler: x }\n`)
    const { broken, complete, plan } = await compiled()
    const problems = [...broken, ...plan.problems]
    expect(problems.map(({ code }) => code)).toContain('CONFIG_VERSION')
    expect(complete && !(await ids()).includes('mine')).toBe(false)
  })
})

describe("a person's own hook that names a file of the project", () => {
  const settings = (command: string) =>
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } })
  const trusted = async () =>
    (await compiled()).plan.hooks.filter(({ run }) => run.type === 'command').map((hook) => hook.trusted)

  it.each(['./check.sh', 'sh check.sh', 'python3 -m check', '"$CLAUDE_PROJECT_DIR"/check.sh; true'])(
    'runs it only when it is vouched for: %s',
    async (command) => {
      write('holdpoint/config.yaml', 'version: 1\nimports: [ claude-settings ]\n')
      write('user/.claude/settings.json', settings(command))
      const program = join(project(), command.includes('-m') ? 'check.py' : 'check.sh')
      expect(await trusted()).toEqual([true])
      expect((await compiled()).inputs).toContain(program)
      write(program.slice(folder.length + 1), 'exit 2')
      expect(await trusted()).toEqual([false])
      vouchFor(program)
      expect(await trusted()).toEqual([true])
      write(program.slice(folder.length + 1), 'exit 0')
      expect(await trusted()).toEqual([false])
    },
  )

  it.each(['~/.claude/check.sh check.sh', 'sh ~/check.sh check.sh'])(
    'cannot be switched off by a file that is named like an argument: %s',
    async (command) => {
      write('holdpoint/config.yaml', 'version: 1\nimports: [ claude-settings ]\n')
      write('user/.claude/settings.json', settings(command))
      write('project/check.sh', 'exit 2')
      expect(await trusted()).toEqual([true])
    },
  )
})

describe('trust that was taken back', () => {
  it('is gone also while the file is broken', async () => {
    const program = write('project/check.sh', 'exit 2')
    const config = write('project/.holdpoint/config.yaml', HOOK)
    vouchFor(config, program)
    const whole = await compiled()
    const hook = (plan: typeof whole.plan) => plan.hooks.find(({ run }) => run.type === 'command')
    expect(hook(whole.plan)?.trusted).toBe(true)
    write('project/.holdpoint/config.yaml', 'version: [')
    const broken = await compiled(whole.lastGood)
    expect(hook(broken.plan)?.trusted).toBe(true)
    writeTrust(home().trust, new Map([[program, pinOf(program)]]))
    const revoked = await compiled(broken.lastGood)
    expect(revoked.complete).toBe(true)
    expect(hook(revoked.plan)?.trusted).toBe(false)
  })
})

describe('an import that names a file', () => {
  it('is told when the file is not there, and keeps what it last said', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ { source: holdpoint-yaml, file: ./more.yaml } ]\n')
    const missing = await compiled()
    expect(missing.broken).toMatchObject([{ code: 'CONFIG_UNREADABLE', message: 'There is no such file.' }])
    const more = write('holdpoint/more.yaml', policy('more'))
    const { lastGood, broken } = await compiled()
    expect(broken).toEqual([])
    rmSync(more)
    const gone = await compiled(lastGood)
    expect(gone.broken).toHaveLength(1)
    expect(gone.plan.hooks.map(({ id }) => id)).toContain('more')
  })
})

describe('skills and agents nobody vouched for', () => {
  const agent = (hooks: string) => `---\nname: a\nhooks:\n${hooks}---\ntext\n`
  const hooksOf = (count: number) =>
    `  PreToolUse:\n    - hooks:\n${Array.from({ length: count }, (_, i) => `        - { type: command, command: ./x${i}.sh }\n`).join('')}`
  const mine = () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ frontmatter ]\n')
    write('user/.claude/agents/zz-mine.md', agent(hooksOf(3)))
  }
  const commands = (plan: Awaited<ReturnType<typeof compiled>>['plan']) =>
    plan.hooks.filter(({ run }) => run.type === 'command')

  it('keep one hook for each event, to tell that it does not run', async () => {
    mine()
    const file = write('project/.claude/agents/a.md', agent(hooksOf(50)))
    const strangers = async () =>
      commands((await compiled()).plan).filter(({ origin }) => origin.file === file)
    expect(await strangers()).toMatchObject([{ trusted: false }])
    vouchFor(file)
    expect(await strangers()).toHaveLength(50)
  })

  it('leave room for those of the person, however many they are', async () => {
    mine()
    for (let i = 0; i < 2_005; i += 1) write(`project/.claude/agents/a${i}.md`, 'text')
    const { plan, broken } = await compiled()
    expect(commands(plan).filter(({ trusted }) => trusted)).toHaveLength(3)
    expect(broken).toMatchObject([
      {
        code: 'CONFIG_TOO_LARGE',
        file: join(project(), '.claude/agents'),
        message: expect.stringContaining('2005'),
      },
    ])
  })

  it('are read to a limit of them all, and what is left out is told', async () => {
    mine()
    const padding = `${'# padding\n'.repeat(60_000)}`
    for (let i = 0; i < 10; i += 1) write(`project/.claude/agents/a${i}.md`, agent(`${padding}${hooksOf(1)}`))
    const { plan, broken, complete } = await compiled()
    expect(commands(plan).filter(({ trusted }) => trusted)).toHaveLength(3)
    expect(commands(plan).filter(({ trusted }) => !trusted)).toHaveLength(6)
    expect(broken).toMatchObject([{ code: 'CONFIG_TOO_LARGE', message: expect.stringContaining('4 files') }])
    expect(complete).toBe(true)
  })
})

describe('agents sorted into folders', () => {
  it('count as those beside them do, and a folder that gets one is noticed', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ frontmatter ]\n')
    const agent = (name: string) =>
      `---\nname: ${name}\nhooks: { PreToolUse: [ { hooks: [ { type: command, command: ./x.sh } ] } ] }\n---\n`
    write('user/.claude/agents/review/security/auditor.md', agent('auditor'))
    write('user/.claude/agents/writer.md', agent('writer'))
    const { plan, inputs } = await compiled()
    const types = plan.hooks.filter(({ run }) => run.type === 'command').map(({ actor }) => actor?.agentType)
    expect(types).toEqual([
      { is: 'names', names: ['writer'] },
      { is: 'names', names: ['auditor'] },
    ])
    expect(inputs).toContain(join(folder, 'user/.claude/agents/review/security'))
  })

  it('are looked for in so many folders, and no link is followed round and round', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ frontmatter ]\n')
    for (let i = 0; i < 60; i += 1) write(`project/.claude/agents/f${i}/a.md`, 'text')
    symlinkSync('..', join(project(), '.claude/agents/f1/up'))
    const { inputs } = await compiled()
    expect(inputs.filter((path) => /agents\/f\d+$/.test(path))).toHaveLength(49)
  })
})

describe('plugins a project asks for', () => {
  it('count once its settings are vouched for', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ claude-plugins ]\n')
    const plugins = { 'a@m': { installPath: join(folder, 'plugins/a') } }
    write('user/.claude/plugins/installed_plugins.json', JSON.stringify({ plugins }))
    const command = { type: 'command', command: 'true' }
    write('plugins/a/hooks/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: [command] }] } }))
    const settings = write('project/.claude/settings.json', '{ "enabledPlugins": { "a@m": true } }')
    const found = async () => (await compiled()).plan.hooks.filter(({ rank }) => rank === 'plugin').length
    expect(await found()).toBe(0)
    vouchFor(settings)
    expect(await found()).toBe(1)
  })
})
