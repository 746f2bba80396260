import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { homeLayout } from '../system/home.ts'
import { signerFor } from '../system/signer.testing.ts'
import { contentHash, pinOf } from '../system/trust.ts'
import { addTrust, removeTrust } from '../system/trust-file.ts'
import { compile } from './compile.ts'

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

/** Trusts these files as they are. */
function trustFiles(...files: readonly string[]): void {
  addTrust(home(), new Map(files.map((file) => [file, pinOf(file)])), signerFor(home()))
}

function compiled(lastGood = {}) {
  return compile({ home: home(), project: project(), packs: [], lastGood })
}

const HOOK = 'version: 1\nhooks: { PreToolUse: [ { run: ./check.sh } ] }\n'

describe('relative paths', () => {
  it.each([
    ["in a user's own file start at the folder of the file", 'holdpoint/config.yaml', 'holdpoint'],
    ['in a project file start at the root of the project', 'project/.holdpoint/config.yaml', 'project'],
  ])('%s', async (_name, file, root) => {
    write(file, HOOK)
    const { plan } = await compiled()
    expect(plan.hooks.find(({ run }) => run.type === 'command')?.run.root).toBe(join(folder, root))
  })
})

describe('imports', () => {
  const importing = 'version: 1\nimports: [ { source: holdpoint-yaml, file: ./more.yaml } ]\n'
  const commands = async () => (await compiled()).plan.hooks.filter(({ run }) => run.type === 'command')

  it('add the hooks of a file, with their own location, and watch the file', async () => {
    write('holdpoint/config.yaml', importing)
    const more = write('holdpoint/more.yaml', HOOK)
    const { plan, inputs } = await compiled()
    const hook = plan.hooks.find(({ run }) => run.type === 'command')
    expect(hook).toMatchObject({ rank: 'user', trusted: true, origin: { file: more, line: 2 } })
    expect(inputs).toContain(more)
  })

  it('in a file that is not trusted are ignored', async () => {
    write('project/more.yaml', HOOK)
    const config = write('project/.holdpoint/config.yaml', importing)
    expect(await commands()).toEqual([])
    addTrust(home(), new Map([[config, contentHash(importing)]]), signerFor(home()))
    expect(await commands()).toMatchObject([{ rank: 'project', trusted: false }])
  })

  it.each([
    ['an unknown format', '[ nonsense ]', 'There is no format `nonsense`'],
    ['a format without a usual location', '[ holdpoint-yaml ]', 'name the file'],
  ])('of %s are reported', async (_name, list, message) => {
    write('holdpoint/config.yaml', `version: 1\nimports: ${list}\n`)
    const { broken, complete } = await compiled()
    expect(broken).toMatchObject([
      { code: 'CONFIG_VALUE', message: expect.stringContaining(message), line: 2 },
    ])
    // The rest of the file still applies.
    expect(complete).toBe(true)
  })

  it('of a broken file keep its last valid content', async () => {
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

describe('files that are read without an import', () => {
  const ids = async () => (await compiled()).plan.hooks.map(({ id }) => id)

  it.each([
    ['by its path', (user: string) => user],
    ['through a link', (user: string) => linked(user)],
  ])('are never replaced by an import of them, %s', async (_name, pathOf) => {
    const user = write('holdpoint/config.yaml', policy('mine'))
    const file = pathOf(user)
    for (const source of ['holdpoint-yaml', 'massgen-yaml', 'claude-settings']) {
      const text = `version: 1\nimports: [ { source: ${source}, file: ${file} } ]\n`
      trustFiles(write('project/.holdpoint/config.yaml', text))
      const { plan, broken, complete } = await compiled()
      expect(plan.hooks.filter(({ id }) => id === 'mine')).toMatchObject([{ rank: 'user', trusted: true }])
      expect(broken).toMatchObject([
        { code: 'CONFIG_VALUE', message: expect.stringContaining('is read without an import') },
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
  ])('%s is read in our own format, whatever its content looks like', async (path) => {
    write(path, `${policy('mine').replace('version: 1\n', '')}agents:\n  - { handler: x }\n`)
    const { broken, complete, plan } = await compiled()
    const problems = [...broken, ...plan.problems]
    expect(problems.map(({ code }) => code)).toContain('CONFIG_VERSION')
    const isReliable = complete && !(await ids()).some((id) => id === 'mine' || id.endsWith('/unread-file'))
    expect(isReliable).toBe(false)
  })
})

describe("a user's own hook that names a file of the project", () => {
  const settings = (command: string) =>
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } })
  const trusted = async () =>
    (await compiled()).plan.hooks.filter(({ run }) => run.type === 'command').map((hook) => hook.trusted)

  it.each(['./check.sh', 'sh check.sh', 'python3 -m check', '"$CLAUDE_PROJECT_DIR"/check.sh; true'])(
    'runs it only if it is trusted: %s',
    async (command) => {
      write('holdpoint/config.yaml', 'version: 1\nimports: [ claude-settings ]\n')
      write('user/.claude/settings.json', settings(command))
      const program = join(project(), command.includes('-m') ? 'check.py' : 'check.sh')
      expect(await trusted()).toEqual([true])
      expect((await compiled()).inputs).toContain(program)
      write(program.slice(folder.length + 1), 'exit 2')
      expect(await trusted()).toEqual([false])
      trustFiles(program)
      expect(await trusted()).toEqual([true])
      write(program.slice(folder.length + 1), 'exit 0')
      expect(await trusted()).toEqual([false])
    },
  )

  it.each(['~/.claude/check.sh check.sh', 'sh ~/check.sh check.sh'])(
    'cannot be disabled by a file with the name of an argument: %s',
    async (command) => {
      write('holdpoint/config.yaml', 'version: 1\nimports: [ claude-settings ]\n')
      write('user/.claude/settings.json', settings(command))
      write('project/check.sh', 'exit 2')
      expect(await trusted()).toEqual([true])
    },
  )
})

describe('trust that was revoked', () => {
  it('is also revoked while the file is broken', async () => {
    const program = write('project/check.sh', 'exit 2')
    const config = write('project/.holdpoint/config.yaml', HOOK)
    trustFiles(config, program)
    const whole = await compiled()
    const hook = (plan: typeof whole.plan) => plan.hooks.find(({ run }) => run.type === 'command')
    expect(hook(whole.plan)?.trusted).toBe(true)
    write('project/.holdpoint/config.yaml', 'version: [')
    const broken = await compiled(whole.lastGood)
    expect(hook(broken.plan)?.trusted).toBe(true)
    removeTrust(home(), (path) => path === config)
    const revoked = await compiled(broken.lastGood)
    expect(revoked.complete).toBe(true)
    expect(hook(revoked.plan)?.trusted).toBe(false)
  })
})

describe('an import that names a file', () => {
  it('is reported if the file does not exist, and keeps its last valid content', async () => {
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

describe('skills and agents that are not trusted', () => {
  const agent = (hooks: string) => `---\nname: a\nhooks:\n${hooks}---\ntext\n`
  const hooksOf = (count: number) =>
    `  PreToolUse:\n    - hooks:\n${Array.from({ length: count }, (_, i) => `        - { type: command, command: ./x${i}.sh }\n`).join('')}`
  const mine = () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ frontmatter ]\n')
    write('user/.claude/agents/zz-mine.md', agent(hooksOf(3)))
  }
  const commands = (plan: Awaited<ReturnType<typeof compiled>>['plan']) =>
    plan.hooks.filter(({ run }) => run.type === 'command')

  it('keep one hook for each event, to report that it does not run', async () => {
    mine()
    const file = write('project/.claude/agents/a.md', agent(hooksOf(50)))
    const untrusted = async () =>
      commands((await compiled()).plan).filter(({ origin }) => origin.file === file)
    expect(await untrusted()).toMatchObject([{ trusted: false }])
    trustFiles(file)
    expect(await untrusted()).toHaveLength(50)
  })

  it('leave room for the skills of the user, however many there are', async () => {
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

  it('are read up to a common limit, and the rest is reported', async () => {
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

describe('K-30: front matter as people write it', () => {
  const skill = (name = 'mux') =>
    `---\nname: ${name}\nhooks: { PreToolUse: [ { matcher: Task, hooks: [ { type: command, command: ./x.sh } ] } ], Stop: [ { hooks: [ { type: command, command: ./x.sh } ] } ] }\n---\n`
  const hooksOf = async () => {
    const { plan } = await compiled()
    return plan.hooks.filter(({ run }) => run.type === 'command')
  }
  const commandsOn = async (on: string) => (await hooksOf()).filter((hook) => hook.on === on)

  it('a skill that is a link to core/skills counts once', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ frontmatter ]\n')
    write('project/core/skills/mux/SKILL.md', skill())
    mkdirSync(join(project(), '.claude/skills'), { recursive: true })
    symlinkSync('../../core/skills/mux', join(project(), '.claude/skills/mux'))
    expect(await commandsOn('PreToolUse')).toHaveLength(1)
  })

  it('a link under another name is another skill', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ frontmatter ]\n')
    write('user/.claude/skills/mux/SKILL.md', skill(''))
    symlinkSync('mux', join(folder, 'user/.claude/skills/lead'))
    expect((await commandsOn('PreToolUse')).map(({ actor }) => actor.skill).sort()).toEqual(['lead', 'mux'])
  })

  it('`closed: true` stops a call when a hook fails in any way, and lets agents end', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ { source: frontmatter, closed: true } ]\n')
    write('user/.claude/skills/mux/SKILL.md', skill())
    const [before] = await commandsOn('PreToolUse')
    expect(new Set(Object.values(before?.onFailure ?? {}))).toEqual(new Set(['deny']))
    const [stop] = await commandsOn('Stop')
    expect(new Set(Object.values(stop?.onFailure ?? {}))).toEqual(new Set(['pass']))
  })

  it('without it, a failing hook is skipped as in Claude Code; the stricter of two imports applies', async () => {
    write('user/.claude/skills/mux/SKILL.md', skill())
    write('holdpoint/config.yaml', 'version: 1\nimports: [ { source: frontmatter, closed: false } ]\n')
    expect((await commandsOn('PreToolUse'))[0]?.onFailure.crash).toBe('pass')
    write(
      'holdpoint/config.yaml',
      'version: 1\nimports: [ frontmatter, { source: frontmatter, closed: true } ]\n',
    )
    expect((await commandsOn('PreToolUse'))[0]?.onFailure.crash).toBe('deny')
  })
})

describe('agents in subfolders', () => {
  it('count like other agents, and a new agent in a subfolder is noticed', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ frontmatter ]\n')
    const agent = (name: string) =>
      `---\nname: ${name}\nhooks: { PreToolUse: [ { hooks: [ { type: command, command: ./x.sh } ] } ] }\n---\n`
    write('user/.claude/agents/review/security/auditor.md', agent('auditor'))
    write('user/.claude/agents/writer.md', agent('writer'))
    const { plan, inputs } = await compiled()
    const types = plan.hooks.filter(({ run }) => run.type === 'command').map(({ actor }) => actor?.agentType)
    expect(types).toEqual([
      { kind: 'names', names: ['writer'] },
      { kind: 'names', names: ['auditor'] },
    ])
    expect(inputs).toContain(join(folder, 'user/.claude/agents/review/security'))
  })

  it('are searched in a limited number of folders, and link cycles are not followed', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ frontmatter ]\n')
    for (let i = 0; i < 60; i += 1) write(`project/.claude/agents/f${i}/a.md`, 'text')
    symlinkSync('..', join(project(), '.claude/agents/f1/up'))
    const { inputs } = await compiled()
    expect(inputs.filter((path) => /agents\/f\d+$/.test(path))).toHaveLength(49)
  })
})

describe('plugins that a project enables', () => {
  it('count once the settings of the project are trusted', async () => {
    write('holdpoint/config.yaml', 'version: 1\nimports: [ claude-plugins ]\n')
    const plugins = { 'a@m': { installPath: join(folder, 'plugins/a') } }
    write('user/.claude/plugins/installed_plugins.json', JSON.stringify({ plugins }))
    const command = { type: 'command', command: 'true' }
    write('plugins/a/hooks/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: [command] }] } }))
    const settings = write('project/.claude/settings.json', '{ "enabledPlugins": { "a@m": true } }')
    const found = async () => (await compiled()).plan.hooks.filter(({ rank }) => rank === 'plugin').length
    expect(await found()).toBe(0)
    trustFiles(settings)
    expect(await found()).toBe(1)
  })
})

describe('the choice of packs', () => {
  const on = async () => [
    ...new Set(
      (await compiled()).plan.hooks.flatMap(({ run }) => (run.type === 'guard' ? [String(run.pack)] : [])),
    ),
  ]
  const PACKS = 'version: 1\npacks: { scratchpad: true, safety: false }\n'

  it('is made by the user, and files of the work tree only add to it', async () => {
    write('holdpoint/config.yaml', 'version: 1\npacks: { secrets: true }\n')
    trustFiles(write('project/.holdpoint/config.yaml', PACKS))
    expect((await on()).sort()).toEqual(['scratchpad', 'secrets'])
  })

  it.each(['config.yaml', 'config.local.yaml'])(
    'is not less with a trusted %s in the work tree',
    async (name) => {
      trustFiles(write(`project/.holdpoint/${name}`, PACKS))
      expect((await on()).sort()).toEqual(['safety', 'scratchpad', 'secrets'])
    },
  )

  it('stays the same if a stash or a checkout removes those files', async () => {
    const file = write(
      'project/.holdpoint/config.local.yaml',
      'version: 1\npacks: { safety: true, self: true }\n',
    )
    trustFiles(file)
    write('holdpoint/installs.json', JSON.stringify({ installs: [INSTALL] }))
    expect(await on()).toContain('self')
    rmSync(file)
    expect((await on()).sort()).toEqual(['safety', 'secrets', 'self'])
  })

  const INSTALL = { host: 'claude-code', scope: 'local', file: '/srv/project/.claude/settings.local.json' }
})
