import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'

/** A machine of a fleet, from the key to the daemon: the installed program and a plain file server. */

let sandbox: Sandbox
let server: Server
let isAway = false
let requests: string[] = []
let publicKey: string
const published = () => join(sandbox.folder, 'published')
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  sandbox = createSandbox()
  server = createServer((request, response) => {
    requests.push(
      `${request.url} ${request.headers['if-none-match'] === undefined ? '' : 'conditional'}`.trim(),
    )
    if (isAway) return void response.destroy()
    try {
      const content = readFileSync(join(published(), request.url ?? ''))
      const etag = `"${content.length}-${content.subarray(-20).toString('hex')}"`
      const isKnown = request.headers['if-none-match'] === etag
      response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : content)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await ran('fleet', 'key', 'create', '--out', file('key.pem'))
  publicKey = (await ran('fleet', 'key', 'show', file('key.pem'))).trim()
})
afterAll(async () => {
  await sandbox.remove()
  server.closeAllConnections()
  server.close()
})

const file = (name: string) => join(sandbox.folder, name)

async function ran(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await sandbox.run(args)
  expect(exitCode, stderr).toBe(0)
  return stdout
}

function policy(denied: string, expected = 'deny'): void {
  mkdirSync(file('policy/tests'), { recursive: true })
  const rule = `  - { id: no-${denied}, match: Bash, when: { shell: { command: ${denied} } }, deny: The fleet forbids ${denied}. }\n`
  writeFileSync(file('policy/config.yaml'), `version: 1\nrules:\n${rule}`)
  writeFileSync(
    file('policy/tests/a.yaml'),
    `cases: [{ name: ${denied}, command: ${denied} x, expect: ${expected} }]\n`,
  )
}

async function publish(revision: number, key = file('key.pem')): Promise<void> {
  const archive = file(`b${revision}.tar.gz`)
  await ran(
    'fleet',
    'bundle',
    'build',
    file('policy'),
    '--name',
    'acme',
    '--revision',
    String(revision),
    '--out',
    archive,
  )
  await ran('fleet', 'bundle', 'sign', archive, '--key', key)
  await ran('fleet', 'bundle', 'publish', archive, '--to', published(), '--key', key)
}

const call = (command: string) => ({
  hook_event_name: 'PreToolUse',
  session_id: 's1',
  cwd: sandbox.project,
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: `toolu_${Math.random()}`,
})
const asked = async (command: string) => {
  const { stdout, stderr } = await sandbox.hook(call(command))
  return `${stdout}${stderr}`
}
async function status(): Promise<{
  readonly bundle?: { readonly revision: number }
  readonly problem?: string
}> {
  return JSON.parse((await sandbox.run(['fleet', 'status', '--json'])).stdout)
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isTrue()) return
    await sleep(200)
  }
  throw new Error(`never: ${what}`)
}

describe('a bundle', () => {
  it('is built only if the tests of its policy pass, and is the same each time', async () => {
    policy('ncat', 'pass')
    const words = [
      'fleet',
      'bundle',
      'build',
      file('policy'),
      '--name',
      'acme',
      '--revision',
      '1',
      '--out',
      file('x.tar.gz'),
    ]
    expect(await sandbox.run(words)).toMatchObject({
      exitCode: 65,
      stderr: expect.stringContaining('BUNDLE_TESTS'),
    })
    policy('ncat')
    const env = { SOURCE_DATE_EPOCH: '1790000000' }
    const [first, second] = [await sandbox.run(words, { env }), readFileSync(file('x.tar.gz'))]
    expect(first.exitCode).toBe(0)
    await sandbox.run(words, { env })
    expect(readFileSync(file('x.tar.gz'))).toEqual(second)
  })

  it('is verified with the key that signed it, and refused without', async () => {
    await publish(1)
    const verify = (key: string) =>
      sandbox.run(['fleet', 'bundle', 'verify', file('b1.tar.gz'), '--key', key])
    expect(await verify(publicKey)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('acme revision 1'),
    })
    expect(await verify('not-a-key')).toMatchObject({ exitCode: 64 })
    expect(await verify(`${'A'.repeat(43)}=`)).toMatchObject({
      exitCode: 77,
      stderr: expect.stringContaining('BUNDLE_SIGNATURE'),
    })
    writeFileSync(file('cut.tar.gz'), readFileSync(file('b1.tar.gz')).subarray(0, 900))
    expect(
      await sandbox.run(['fleet', 'bundle', 'verify', file('cut.tar.gz'), '--key', publicKey]),
    ).toMatchObject({ exitCode: 65 })
  })
})

describe('an enrolled machine', () => {
  it('is enrolled by a person, and only if the first bundle is right', async () => {
    const words = ['fleet', 'enroll', url(), '--key', publicKey, '--poll', '10', '--yes']
    expect(await sandbox.run(words)).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('only for people'),
    })
    const wrong = await sandbox.person(['fleet', 'enroll', url(), '--key', `${'A'.repeat(43)}=`, '--yes'])
    expect(wrong).toMatchObject({ exitCode: 77 })
    const nowhere = await sandbox.person(['fleet', 'enroll', `${url()}/nothing`, '--key', publicKey, '--yes'])
    expect(nowhere).toMatchObject({ exitCode: 69 })
    expect(await asked('ncat x')).not.toContain('The fleet forbids')
    const enrolled = await sandbox.person(words)
    expect(enrolled.stdout).toContain('Revision 1 is in force.')
    expect(enrolled.stdout).toContain('advisory')
    expect(await asked('ncat x')).toContain('The fleet forbids ncat')
    expect((await sandbox.run(['status'])).stdout).toMatch(/acme revision 1 \(1\), .* old, channel stable/)
    expect((await sandbox.run(['status'])).stdout).toContain('advisory')
  })

  it('gets a newer bundle while its daemon runs, with conditional requests', async () => {
    policy('socat')
    await publish(2)
    requests = []
    await ran('daemon', 'start')
    await until('revision 2', async () => (await status()).bundle?.revision === 2)
    expect(await asked('socat x')).toContain('The fleet forbids socat')
    expect(await asked('ncat x')).not.toContain('The fleet forbids')
    await until('a conditional request', async () => requests.includes('/index.json conditional'))
    expect(requests.filter((request) => request.includes('bundles/')).length).toBe(1)
  })

  it('denies while a file of its bundle is changed, and its daemon puts the file back', async () => {
    const bundles = join(sandbox.home, 'fleet', 'bundles')
    const folder = readdirSync(bundles).find((name) => name.startsWith('2-') && !name.endsWith('.gz')) ?? ''
    const config = join(bundles, folder, 'config.yaml')
    const whole = readFileSync(config, 'utf8')
    await ran('daemon', 'stop')
    writeFileSync(config, 'version: 1\n')
    expect(await asked('ls')).toContain('is not the file that was signed')
    expect(await status()).toMatchObject({ problem: expect.stringContaining('BUNDLE_INVALID') })
    await ran('daemon', 'start')
    await until('the file is back', async () => readFileSync(config, 'utf8') === whole)
    expect(await asked('socat x')).toContain('The fleet forbids socat')
    expect(await asked('ls')).not.toContain('was signed')
  })

  it('goes on with its bundle if the server is away, and says so', async () => {
    isAway = true
    expect(await sandbox.run(['fleet', 'fetch'])).toMatchObject({
      exitCode: 69,
      stderr: expect.stringContaining('FLEET_UNREACHABLE'),
    })
    expect(await asked('socat x')).toContain('The fleet forbids socat')
    const said = await sandbox.run(['fleet', 'status'])
    expect(said).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('cannot be reached') })
    isAway = false
    expect(await ran('fleet', 'fetch')).toContain('Revision 2 is in force, and there is no newer one')
  })

  it('does not go back to an older bundle', async () => {
    expect(
      await sandbox.run([
        'fleet',
        'bundle',
        'publish',
        file('b1.tar.gz'),
        '--to',
        published(),
        '--key',
        file('key.pem'),
      ]),
    ).toMatchObject({ exitCode: 77, stderr: expect.stringContaining('never go back') })
  })

  it('follows its fleet to other keys: of one person, and of two who each sign alone', async () => {
    for (const name of ['second.pem', 'third.pem']) await ran('fleet', 'key', 'create', '--out', file(name))
    const shown = async (name: string) => (await ran('fleet', 'key', 'show', file(name))).trim()
    const rotate = async (to: string, ...keys: readonly string[]) => {
      const signing = keys.flatMap((key) => ['--key', file(key)])
      return ran('fleet', 'key', 'rotate', published(), ...signing, '--set', await shown(to))
    }
    expect(await rotate('second.pem', 'key.pem', 'second.pem')).toContain(
      'Version 1 of the keys is published',
    )
    await publish(3, file('second.pem'))
    expect(await ran('fleet', 'fetch')).toContain('Revision 3 is in force')
    expect(await rotate('third.pem', 'second.pem')).toContain('needs more signatures')
    expect(await rotate('third.pem', 'third.pem')).toContain('Version 2 of the keys is published')
    await publish(4, file('third.pem'))
    expect(await ran('fleet', 'fetch')).toContain('Revision 4 is in force')
    const old = ['fleet', 'bundle', 'publish', '--to', published(), '--key', file('key.pem')]
    expect(await sandbox.run(old)).toMatchObject({
      exitCode: 77,
      stderr: expect.stringContaining('does not count in this folder any more'),
    })
  })

  const startSession = () =>
    sandbox.hook(
      { hook_event_name: 'SessionStart', session_id: 's2', cwd: sandbox.project, source: 'startup' },
      ['--event', 'SessionStart'],
    )
  const hasDaemon = async () => (await sandbox.run(['daemon', 'status'])).exitCode === 0

  it('has a daemon from the start of a session on, also if its hooks do not ask one', async () => {
    await ran('daemon', 'stop')
    await startSession()
    await until('a daemon', hasDaemon)
  })

  it('is released by a person', async () => {
    expect(await sandbox.run(['fleet', 'unenroll', '--yes'])).toMatchObject({ exitCode: 64 })
    expect((await sandbox.person(['fleet', 'unenroll', '--yes'])).stdout).toContain('no longer enrolled')
    expect(await asked('socat x')).not.toContain('The fleet forbids')
    await ran('daemon', 'stop')
    await startSession()
    expect(await hasDaemon()).toBe(false)
  })
})

describe('the central commands', () => {
  it('name the package that they need', async () => {
    for (const words of [
      ['collector', '--database', 'postgresql://x/y'],
      ['machines', '--database', 'postgresql://x/y'],
      ['export'],
    ]) {
      // The installed program has no such package; this checkout has one.
      expect(await sandbox.run(['fleet', ...words], { process: true })).toMatchObject({
        exitCode: 69,
        stderr: expect.stringContaining('@holdpoint/fleet'),
      })
    }
  })
})
