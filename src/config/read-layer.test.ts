import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { homeLayout } from '../system/home.ts'
import { signerFor } from '../system/signer.testing.ts'
import { pinOf } from '../system/trust.ts'
import { addTrust } from '../system/trust-file.ts'
import { compile } from './compile.ts'

let folder: string
const project = () => join(folder, 'project')
const at = (...names: string[]) => join(folder, ...names)
const home = () => homeLayout(at('holdpoint'), { HOME: at('user') })
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-read-')))
  mkdirSync(at('project', '.holdpoint'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const compiled = () => compile({ home: home(), project: project(), packs: [], lastGood: {} })
const config = () => at('project', '.holdpoint', 'config.yaml')
const SECRET = 'hunter2-correct-horse'

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const SECRETS: readonly (readonly [string, string])[] = [
  ['a password file', `machine example.com login dev password ${SECRET}\n`],
  ['an environment file', `TOKEN=${SECRET}\nOTHER: [\n`],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----\n`],
  ['a mapping', `${SECRET}: 1\nversion: 1\n`],
  ['a version', `version: ${SECRET}\n`],
  ['a tag', `version: !${SECRET} 1\n`],
  ['a list', `- ${SECRET}\n`],
  ['the name of a pack', `version: 1\npacks: { ${SECRET}: true }\n`],
  ['a level', `version: 1\npacks: { safety: { level: ${SECRET} } }\n`],
  ['an option', `version: 1\npacks: { safety: { guards: { ${SECRET}: off } } }\n`],
  ['an event', `version: 1\nhooks: { ${SECRET}: [] }\n`],
  ['a rule', `version: 1\nrules: [ { match: Bash, deny: x, when: { ${SECRET}: 1 } } ]\n`],
  ['JSON', `{"_authToken":"${SECRET}"}`],
]

describe('an untrusted file', () => {
  it.each(SECRETS)(
    'that is %s is not quoted, whether it is a file, a link or a hard link',
    async (_n, text) => {
      const secret = write(at('user', 'secret'), text)
      for (const make of [write, link, linkSync_]) {
        rmSync(config(), { force: true })
        make(config(), make === write ? text : secret)
        const { plan, broken, lastGood } = await compiled()
        expect(JSON.stringify([plan.problems, broken])).not.toContain(SECRET)
        const kept = Object.values(lastGood).map(({ layer }) => layer.problems)
        expect(JSON.stringify(kept)).not.toContain(SECRET)
      }
      function link(path: string, target: string): void {
        symlinkSync(target, path)
      }
      function linkSync_(path: string, target: string): void {
        linkSync(target, path)
      }
    },
  )

  it.each([
    ['.holdpoint/config.yaml', '.holdpoint/config.yaml'],
    ['.holdpoint/config.local.yaml', '.holdpoint/config.local.yaml'],
    ['the folder .holdpoint', '.holdpoint'],
  ])('%s that is a link out of the project is not read', async (_name, path) => {
    const isFolder = path === '.holdpoint'
    rmSync(at('project', '.holdpoint'), { recursive: true })
    const rule = `version: 1\nrules: [ { match: Bash, deny: ${SECRET} } ]\n`
    write(at('user', 'x', 'config.yaml'), rule)
    if (!isFolder) mkdirSync(at('project', '.holdpoint'))
    symlinkSync(isFolder ? '../user/x' : at('user', 'x', 'config.yaml'), at('project', path))
    const result = await compiled()
    expect(JSON.stringify(result)).not.toContain(SECRET)
    expect(result.broken[0]).toMatchObject({ message: expect.stringContaining('link out of the project') })
  })

  it.each([
    ['claude-settings', '.claude/settings.json', '{"hooks":{"PreToolUse":[{"hooks":[{"type":"S"}]}]}}'],
    ['frontmatter', '.claude/skills/x/SKILL.md', '---\nname: S\nhooks: S\n---\n'],
    ['frontmatter', '.claude/agents/x.md', '---\nname: x\nhooks: { S: [] }\n---\n'],
    ['frontmatter', '.claude/commands/x.md', '---\nhooks: { PreToolUse: S }\n---\n'],
    ['massgen-yaml', 'team.yaml', 'agents: S\nhooks: { S: 1 }\n'],
  ])('imported as %s (%s) is neither followed out nor quoted', async (source, path, text) => {
    const named = source === 'massgen-yaml' ? `, file: ${at('project', path)}` : ''
    write(at('holdpoint', 'config.yaml'), `version: 1\nimports: [ { source: ${source}${named} } ]\n`)
    const said = text.replaceAll('S', SECRET)
    const secret = write(at('user', 'secret'), said)
    mkdirSync(dirname(at('project', path)), { recursive: true })
    symlinkSync(secret, at('project', path))
    expect(JSON.stringify(await compiled())).not.toContain(SECRET)
    rmSync(at('project', path))
    write(at('project', path), said)
    const { plan, broken } = await compiled()
    // A user's own file that names it also trusts it.
    if (source === 'massgen-yaml') return
    expect(JSON.stringify([plan.problems, broken])).not.toContain(SECRET)
  })

  it('is quoted once the user trusts it, and may then be a link', async () => {
    const secret = write(at('user', 'real.yaml'), 'version: 1\npacks: { safty: true }\n')
    symlinkSync(secret, config())
    addTrust(home(), new Map([[config(), pinOf(config())]]), signerFor(home()))
    expect(JSON.stringify((await compiled()).plan.problems)).toContain('safty')
  })
})

describe('the configuration is read only from regular files,', () => {
  it.each<[string, () => void]>([
    ['a pipe', () => execFileSync('mkfifo', [config()])],
    ['a folder', () => mkdirSync(config())],
    ['a link to a device', () => symlinkSync('/dev/zero', config())],
    ['a link to /proc', () => symlinkSync('/proc/kmsg', config())],
    ['a huge file', () => write(config(), ' '.repeat(1024 * 1024 + 1))],
  ])('not from %s', async (_name, make) => {
    make()
    const { broken, complete, plan } = await compiled()
    expect(broken).toHaveLength(1)
    expect(complete).toBe(true)
    expect(plan.hooks.some(({ id }) => id === 'project/unread-file')).toBe(true)
  })

  it('also for the files of the user', async () => {
    mkdirSync(at('holdpoint'))
    execFileSync('mkfifo', [at('holdpoint', 'config.yaml')])
    expect(await compiled()).toMatchObject({ complete: false })
  })
})

describe('a project file that cannot be read', () => {
  const broken = 'version: [\n'

  it('leaves the other files in force, and asks only before calls that change something', async () => {
    write(at('holdpoint', 'config.yaml'), 'version: 1\npacks: { safety: true, self: true }\n')
    write(config(), broken)
    const { plan, complete } = await compiled()
    expect(complete).toBe(true)
    expect(plan.hooks.some(({ id }) => id === 'safety/git/force-push')).toBe(true)
    const unread = plan.hooks.find(({ id }) => id === 'project/unread-file')
    expect(unread).toMatchObject({
      on: 'PreToolUse',
      trusted: false,
      match: { exceptTools: expect.any(Array) },
    })
    expect(JSON.stringify(unread?.run.outcome)).toContain(config())
    const own = plan.hooks.find(({ id }) => id === 'self/own-files')
    expect(own?.run.options).toMatchObject({ repairable: [config()] })
  })

  it('does not let the agent write the files of the user', async () => {
    write(at('holdpoint', 'config.yaml'), 'version: 1\npacks: { self: true }\n')
    const { lastGood } = await compiled()
    write(at('holdpoint', 'config.yaml'), broken)
    const { plan } = await compile({ home: home(), project: project(), packs: [], lastGood })
    const own = plan.hooks.find(({ id }) => id === 'self/own-files')
    expect(own?.run.options).toMatchObject({ repairable: [] })
  })

  it('because of its permissions is reported with what to do', async () => {
    write(config(), 'version: 1\n')
    chmodSync(config(), 0o000)
    const { broken: found } = await compiled()
    // Root can read every file.
    if (process.getuid?.() === 0) return
    expect(found[0]).toMatchObject({ file: config(), message: expect.stringContaining('EACCES') })
  })
})

describe('a broken link', () => {
  it("instead of the user's policy is not the same as no policy", async () => {
    const kept = write(at('dotfiles', 'config.yaml'), 'version: 1\npacks: { safety: { level: paranoid } }\n')
    mkdirSync(at('holdpoint'), { recursive: true })
    symlinkSync(kept, home().userConfig)
    const before = await compiled()
    rmSync(kept)
    const after = await compile({
      home: home(),
      project: project(),
      packs: [],
      lastGood: before.lastGood,
    })
    expect(after).toMatchObject({ complete: true, broken: [{ code: 'CONFIG_UNREADABLE' }] })
    expect(after.plan.hooks).toEqual(before.plan.hooks)
    expect(await compiled()).toMatchObject({ complete: false, broken: [{ code: 'CONFIG_UNREADABLE' }] })
  })

  it('instead of the policy of a project asks before calls', async () => {
    symlinkSync('elsewhere.yaml', config())
    const { plan } = await compiled()
    expect(plan.hooks.some(({ id }) => id === 'project/unread-file')).toBe(true)
  })
})
