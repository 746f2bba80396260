import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { areGone, pidsIn } from '../../library/testing/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-orphan-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const built = (path: string) =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'build', path)).href)

/** A program that embeds the built handler, calls one module, prints its answer, and does nothing more. */
function startOwner(module: string): ChildProcess {
  const program = `
    import { create } from ${built('handlers/module/handler.js')}
    import { actorOf, bash, frozenFacts } from ${built('library/testing/events.js')}
    import { hookOf } from ${built('library/testing/hooks.js')}
    const handler = create({ searchPath: () => '/bin:/usr/bin' })
    const run = { type: 'module', module: ${JSON.stringify(module)}, root: ${JSON.stringify(folder)} }
    const runner = handler.prepare(hookOf({ run }))
    const event = bash('ls')
    const { signal } = new AbortController()
    const facts = frozenFacts({ project: ${JSON.stringify(folder)} })
    const ask = () => runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 1000, signal })
    await ask()
    const answer = await ask()
    console.log(JSON.stringify(answer))`
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** The module writes the ids of its own process and of a child that would live long, then does the rest. */
function writeModule(name: string, rest: string): readonly [module: string, pidFile: string] {
  const pidFile = join(folder, `${name}.pids`)
  writeFileSync(
    join(folder, `${name}.mjs`),
    `import { spawn } from 'node:child_process'
     import { renameSync, writeFileSync } from 'node:fs'
     export default () => {
       const child = spawn('sleep', ['300'], { stdio: 'ignore' })
       child.unref()
       writeFileSync('${pidFile}.part', process.pid + ' ' + child.pid)
       renameSync('${pidFile}.part', '${pidFile}')
       ${rest}
     }`,
  )
  return [`./${name}.mjs`, pidFile]
}

it.each([
  ['spins', 'for (;;) {}'],
  ['waits', 'return new Promise(() => {})'],
  ['sleeps in a call of the system', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
])('a module that %s ends when Holdpoint is killed, and so do its children', async (name, rest) => {
  const [module, pidFile] = writeModule(name.replaceAll(' ', '-'), rest)
  const owner = startOwner(module)
  while (!existsSync(pidFile)) await sleep(20)
  owner.kill('SIGKILL')
  expect(await areGone(pidsIn(pidFile))).toBe(true)
})

it('an idle process keeps no other process alive, and ends with its owner', async () => {
  const [module, pidFile] = writeModule('idle', `return { deny: 'x' }`)
  const owner = startOwner(module)
  let said = ''
  owner.stdout?.on('data', (chunk) => {
    said += chunk
  })
  const exitCode = await new Promise((resolve) => owner.once('close', resolve))
  expect([exitCode, JSON.parse(said)]).toEqual([0, { effect: 'deny', reason: 'x' }])
  expect(await areGone(pidsIn(pidFile))).toBe(true)
})
