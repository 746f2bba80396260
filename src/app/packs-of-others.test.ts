import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { survey } from '../commands/trust-survey.ts'
import { compile } from '../config/compile.ts'
import type { Problem } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { ALL_ABILITIES } from '../core/host.ts'
import { bash, toolCall } from '../library/testing/events.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { homeLayout } from '../system/home.ts'
import { signerFor } from '../system/signer.testing.ts'
import { addTrust } from '../system/trust-file.ts'
import { createResponder } from './responder.ts'

let folder: string
const project = () => join(folder, 'project')
const home = () => homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') })

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-packs-')))
  mkdirSync(join(project(), '.git'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(project(), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** As `holdpoint trust` does, after a person said yes. */
async function trust(): Promise<void> {
  const { files } = await survey({ home: home(), project: project() })
  addTrust(home(), new Map([...files].map(([path, { pin }]) => [path, pin])), signerFor(home()))
}

const configured = (options: string) =>
  write('.holdpoint/config.yaml', `version: 1\npacks:\n  acme: ${options}\n`)

interface Parts {
  readonly check?: string
  readonly guard?: string
  readonly pack?: string
  readonly before?: string
}

/** A pack in TypeScript with one guard, `acme/no-deploy`, of the tool `mcp__deploy__start`. */
const packText = ({
  check = `() => ({ caught: 'starts a deployment' })`,
  guard = '',
  pack = '',
  before = '',
}: Parts) => `
import { defineGuard, definePack } from 'holdpoint'
${before}
const noDeploy = {
  id: 'acme/no-deploy', title: 'Deployment by an agent', why: 'Only a person deploys.',
  instead: 'ask the user to run the deployment.', on: ['PreToolUse'], match: 'mcp__deploy__start',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: { stops: [{ tool: 'mcp__deploy__start', input: {} }], passes: ['npm test'] },
  check: ${check}, ${guard}
}
export default definePack({ id: 'acme', title: 'Rules of Acme', guards: [defineGuard(noDeploy)], ${pack} })
`

const DEPLOY = () => toolCall('mcp__deploy__start', { to: 'prod' })
const LIST = () => toolCall('mcp__deploy__list', {})

async function decided(event: Event = DEPLOY()) {
  const responder = createResponder({
    home: home(),
    state: createMemoryState(),
    now: () => performance.now(),
  })
  const { decision } = await responder.decide({
    event,
    can: ALL_ABILITIES,
    project: project(),
    env: {},
    skills: [],
  })
  return { ...decision, reason: JSON.stringify(decision.reasons) }
}

async function problems(): Promise<readonly Problem[]> {
  const { plan, broken } = await compile({ home: home(), project: project(), packs: [], lastGood: {} })
  return [...broken, ...plan.problems]
}

async function withPack(parts: Parts, options = '{ from: ./policies/pack.ts }'): Promise<void> {
  write('policies/pack.ts', packText(parts))
  configured(options)
  await trust()
}

describe('a pack from a file of the project', () => {
  it('decides with its level, its texts and the modes of its guards', async () => {
    await withPack({})
    const { effect, reason } = await decided()
    expect([effect, reason]).toEqual(['ask', expect.stringContaining('starts a deployment')])
    expect((await decided(LIST())).effect).toBe('pass')
    await withPack({}, '{ from: ./policies/pack.ts, level: strict }')
    expect(await decided()).toMatchObject({
      effect: 'deny',
      because: ['acme/no-deploy'],
      notices: [expect.stringContaining('holdpoint allow ')],
    })
    await withPack({}, '{ from: ./policies/pack.ts, guards: { acme/no-deploy: off } }')
    expect((await decided()).effect).toBe('pass')
    expect(await problems()).toEqual([])
  })

  it('gets its options with their types and defaults, checked before', async () => {
    const parts = {
      pack: `options: { targets: { type: 'array', items: { type: 'string' }, default: ['prod'] } }`,
      check: `({ event, options }) => options.targets.includes(event.tool.input.to) ? { caught: 'deploys' } : null`,
    }
    await withPack(parts)
    expect((await decided()).effect).toBe('ask')
    await withPack(parts, '{ from: ./policies/pack.ts, targets: [test] }')
    expect((await decided()).effect).toBe('pass')
    await withPack(parts, '{ from: ./policies/pack.ts,\n    targest: [test] }')
    expect(await problems()).toMatchObject([
      {
        code: 'CONFIG_VALUE',
        line: 4,
        key: 'packs.acme.targest',
        message: expect.stringContaining('Did you mean `targets`?'),
      },
    ])
    expect((await decided()).effect).toBe('deny')
    expect((await decided(LIST())).effect).toBe('pass')
  })

  it('can ask `holdpoint/shell` what a command would do, with nothing installed', async () => {
    const check = `({ event, facts }) => {
      const found = analyze(event.tool.input.command, { cwd: facts.cwd, home: facts.home })
      const acts = found.readable ? found.commands.flatMap((each) => each.effects) : []
      return acts.some((each) => each.act === 'git/hard-reset') ? { caught: 'resets' } : null
    }`
    await withPack(
      { before: `import { analyze } from 'holdpoint/shell'`, check, guard: `match: 'Bash'` },
      '{ from: ./policies/pack.ts, level: strict }',
    )
    expect((await decided(bash('bash -c "git reset --hard"'))).because).toContain('acme/no-deploy')
    expect((await decided(bash('git status'))).effect).toBe('pass')
  })

  it('can read facts and the files of the machine', async () => {
    write('freeze', 'until monday')
    await withPack({
      check: `async ({ facts }) => ({ caught: 'deploys in a freeze ' + await facts.readText(facts.project + '/freeze') })`,
    })
    expect((await decided()).reason).toContain('freeze until monday')
  })
})

describe('a pack from a package', () => {
  const inPackage = (manifest: object, text: string) => {
    write(
      'node_modules/@acme/policies/package.json',
      JSON.stringify({
        name: '@acme/policies',
        version: '1.0.0',
        type: 'module',
        exports: './index.js',
        ...manifest,
      }),
    )
    write('node_modules/@acme/policies/data/words.txt', 'one')
    write('node_modules/@acme/policies/index.js', text)
    configured('{ from: "@acme/policies" }')
  }

  it('decides, and must be trusted again if any of its files changes, appears or goes', async () => {
    inPackage({}, packText({}))
    await trust()
    expect((await decided()).effect).toBe('ask')
    for (const [path, text] of [
      ['data/words.txt', 'two'],
      ['data/more.txt', 'x'],
      ['package.json', '{}'],
    ] as const) {
      write(`node_modules/@acme/policies/${path}`, text)
      expect(await problems(), path).toMatchObject([{ code: 'HOOK_UNTRUSTED', key: 'packs.acme', line: 3 }])
      const { effect, reason } = await decided(LIST())
      expect([path, effect, reason]).toEqual([path, 'deny', expect.stringContaining('not what was trusted')])
      inPackage({}, packText({}))
      rmSync(join(project(), 'node_modules/@acme/policies/data/more.txt'), { force: true })
      expect((await decided()).effect).toBe('ask')
    }
    rmSync(join(project(), 'node_modules'), { recursive: true })
    expect((await decided(LIST())).effect).toBe('deny')
  })

  it('that needs a newer Holdpoint is not loaded, and calls are denied', async () => {
    inPackage({ engines: { holdpoint: '>=99.0.0' } }, packText({}))
    await trust()
    expect(await problems()).toMatchObject([
      { code: 'PACK_INVALID', message: expect.stringContaining('needs Holdpoint >=99.0.0') },
    ])
    expect((await decided()).effect).toBe('deny')
  })
})

describe('a project that is not trusted', () => {
  const userPack = (options: string) => {
    const pack = packText({
      pack: `options: { targets: { type: 'array', items: { type: 'string' }, default: ['prod'] } }`,
      check: `({ event, options }) => options.targets.includes(event.tool.input.to) ? { caught: 'deploys' } : null`,
    })
    write('../holdpoint/pack.ts', pack)
    write('../holdpoint/config.yaml', 'version: 1\npacks: { acme: { from: ./pack.ts } }\n')
    configured(options)
  }

  it.each(['{ targets: [] }', '{ targets: 7 }', '{ guards: { acme/no-deploy: off } }', 'false'])(
    'cannot weaken a pack of the user: %s',
    async (options) => {
      userPack(options)
      expect((await decided()).effect).toBe('ask')
    },
  )

  it('can make it stricter', async () => {
    userPack('{ level: strict }')
    expect((await decided()).effect).toBe('deny')
  })
})

describe('a pack that nobody trusted', () => {
  it('is not loaded: a notice, and the call goes on', async () => {
    const marker = join(folder, 'loaded')
    write(
      'policies/pack.ts',
      packText({
        before: `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')`,
      }),
    )
    configured('{ from: ./policies/pack.ts }')
    const { effect, notices } = await decided()
    expect([effect, existsSync(marker)]).toEqual(['pass', false])
    expect(notices.join('\n')).toContain('holdpoint trust')
    expect(notices.join('\n')).not.toContain('policies/pack.ts')
    expect(await problems()).toMatchObject([{ code: 'HOOK_UNTRUSTED', severity: 'warning' }])
  })

  it('never runs if managed policy forbids code of projects', async () => {
    const marker = join(folder, 'loaded')
    await withPack({
      before: `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')`,
    })
    rmSync(marker, { force: true })
    mkdirSync(dirname(home().managedConfig), { recursive: true })
    const managed = { ...home(), managedConfig: join(folder, 'managed.yaml') }
    writeFileSync(managed.managedConfig, 'version: 1\nsettings: { projectCode: forbidden }\n')
    const { plan } = await compile({ home: managed, project: project(), packs: [], lastGood: {} })
    expect(plan.problems).toMatchObject([{ message: expect.stringContaining('Managed policy forbids code') }])
    expect(existsSync(marker)).toBe(false)
  })
})

describe('a pack that goes wrong denies what it could have denied:', () => {
  it.each<[string, Parts, string]>([
    ['throws', { check: `() => { throw new Error('broken') }` }, 'broken'],
    [
      'hangs',
      { check: `() => new Promise(() => setInterval(() => {}, 1000))`, guard: 'timeoutMs: 300' },
      'in time',
    ],
    ['blocks its process', { check: `() => { for (;;) {} }`, guard: 'timeoutMs: 300' }, 'in time'],
    ['changes its input', { check: `({ event }) => { event.kind = 'Stop'; return null }` }, 'read only'],
    ['answers allow', { check: `() => ({ effect: 'allow' })` }, 'may only stop calls'],
    ['answers something else', { check: `() => ({ cought: 'x' })` }, '`cought`'],
    ['answers true', { check: `() => true` }, 'not `{ caught }`'],
    ['catches a number', { check: `() => ({ caught: 7 })` }, 'not a text'],
    ['ends its process', { check: `() => process.exit(0)` }, 'exited with code 0'],
    [
      'prints garbage to every pipe',
      {
        check: `() => { for (const fd of [1, 2, 4]) require('node:fs').writeSync(fd, '{}\\n'); return null }`,
      },
      'pipe',
    ],
    ['answers ten megabytes', { check: `() => ({ caught: 'x'.repeat(1e7) })` }, 'bytes'],
  ])('a guard that %s', async (_what, parts, says) => {
    await withPack(parts)
    const { effect, reason } = await decided()
    expect([effect, reason]).toEqual(['deny', expect.stringContaining(says)])
    expect((await decided(LIST())).effect).toBe('pass')
  })

  it.each<[string, Parts, string]>([
    ['cannot be loaded', { before: `throw new Error('broken at import')` }, 'broken at import'],
    ['is not TypeScript', { before: `const const` }, 'cannot be used'],
    ['ends its process while it is loaded', { before: 'process.exit(3)' }, 'code 3'],
    ['has no examples', { guard: 'examples: { stops: [], passes: [] }' }, 'no examples'],
    [
      'has another id',
      { pack: `id: 'other', guards: [{ ...noDeploy, id: 'other/no-deploy' }]` },
      'has the id `other`',
    ],
    [
      'has a guard with the id of another pack',
      { guard: `id: 'safety/git/force-push'` },
      'must be like `acme/no-deploy`',
    ],
    ['needs a newer Holdpoint', { pack: `holdpoint: '>=99'` }, 'needs Holdpoint >=99'],
    ['may allow', { guard: 'grants: true' }, '`grants`'],
    ['runs commands', { guard: 'needs: async () => undefined' }, '`needs`'],
    ['fails open', { guard: `onFailure: 'pass'` }, '`onFailure`'],
    ['was made by another version', { pack: `[Symbol.for('holdpoint/made-by')]: '0.0.1'` }, 'two versions'],
    [
      'has options that no schema has',
      { pack: `options: { a: { type: 'date' } }` },
      'without a known `type`',
    ],
  ])('a pack that %s', async (_what, parts, says) => {
    await withPack(parts)
    expect(await problems()).toMatchObject([
      {
        message: expect.stringContaining(says),
        file: join(project(), '.holdpoint/config.yaml'),
        line: 3,
        key: 'packs.acme',
      },
    ])
    for (const event of [DEPLOY(), LIST(), bash('ls')]) expect((await decided(event)).effect).toBe('deny')
  })

  it('a pack whose dependency is missing, until that is installed', async () => {
    await withPack({ before: `import 'some-words'` })
    const responder = createResponder({
      home: home(),
      state: createMemoryState(),
      now: () => performance.now(),
    })
    const ask = async () => {
      const call = { event: DEPLOY(), can: ALL_ABILITIES, project: project(), env: {}, skills: [] }
      return (await responder.decide(call)).decision.effect
    }
    expect(await ask()).toBe('deny')
    write(
      'node_modules/some-words/package.json',
      '{"name":"some-words","type":"module","exports":"./index.js"}',
    )
    write('node_modules/some-words/index.js', `export const word = 'x'`)
    expect(await ask()).toBe('ask')
  })

  it('a pack with the name of a built-in one', async () => {
    write('policies/pack.ts', packText({}))
    write('.holdpoint/config.yaml', 'version: 1\npacks: { safety: { from: ./policies/pack.ts } }\n')
    await trust()
    expect(await problems()).toMatchObject([{ code: 'PACK_TAKEN', key: 'packs.safety', line: 2 }])
    expect((await decided(LIST())).effect).toBe('deny')
  })

  it('two files that take a pack of one name from different places', async () => {
    await withPack({})
    write('policies/other.ts', packText({}))
    write('.holdpoint/config.local.yaml', 'version: 1\npacks: { acme: { from: ./policies/other.ts } }\n')
    await trust()
    expect(await problems()).toMatchObject([
      { code: 'PACK_TAKEN', file: join(project(), '.holdpoint/config.local.yaml') },
    ])
    expect((await decided(LIST())).effect).toBe('deny')
  })

  it('a pack that names no file', async () => {
    configured('{ from: 7 }')
    await trust()
    expect((await problems()).map(({ code }) => code)).toEqual(['CONFIG_VALUE', 'PACK_FAILED'])
    expect((await decided(LIST())).effect).toBe('deny')
  })
})
