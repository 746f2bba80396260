import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { createFileState } from './file-state.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-state-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => join(mkdtempSync(join(root, 'f-')), 'state')

function stateIn(folder: string) {
  const read = createFileState(folder).read('s')
  if (!read.ok) throw new Error(JSON.stringify(read.problem))
  return read.value
}

describe('the state file of a session, with several processes that write at once', () => {
  it('accepts one commit for each version', async () => {
    const folder = newFolder()
    const processes = 8
    const rounds = 40
    const reports = await inProcesses(processes, folder, rounds)
    const state = stateIn(folder)
    expect(state.damaged).toBe(false)
    // Without a base, all commits apply. With the same base, exactly one of all does.
    expect(state.actors.get('free')?.memory.n).toBe(processes * rounds)
    expect(state.actors.get('contended')?.memory.n).toBe(rounds)
    for (let base = 0; base < rounds; base++) {
      expect(reports.filter((report) => report.won.includes(base))).toHaveLength(1)
    }
  })

  it('loses nothing if writers are killed at any moment', async () => {
    const folder = newFolder()
    const done = await killedWriters(folder, 6)
    const state = stateIn(folder)
    // Every reported commit is there. One more for each writer may have been written but not reported.
    const total = done.reduce((sum, count) => sum + count, 0)
    const kept = Number(state.actors.get('free')?.memory.n)
    expect(state.damaged).toBe(false)
    expect(kept).toBeGreaterThanOrEqual(total)
    expect(kept).toBeLessThanOrEqual(total + done.length)
  })
})

const WRITER = `
  import { existsSync, writeSync } from 'node:fs'
  import { createFileState } from './file-state.ts'
  const [me, folder, rounds, go] = process.argv.slice(2)
  const store = createFileState(folder, { compactBytes: 1_500 })
  const commit = (agent, nonce, base) => {
    const changes = [{ kind: 'patch', patch: { op: 'count', key: 'n', by: 1 } }]
    const result = store.commit('s', { agent, changes, nonce, atMs: 0, ...(base === undefined ? {} : { base }) })
    if (!result.ok) throw new Error(result.problem.message)
    return result.value.applied
  }
  // Not process.stdout: if the reader is slow, it keeps the text in memory, where a killed process loses it.
  const report = (text) => {
    for (;;) {
      try {
        return writeSync(1, text)
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error
      }
    }
  }
  report('ready\\n')
  while (!existsSync(go)) {}
  const won = []
  for (let round = 0; round < Number(rounds); round++) {
    if (!commit('free', me + ':free:' + round)) throw new Error('a commit without base did not apply')
    if (rounds === 'Infinity') report('done\\n')
    else if (commit('contended', me + ':' + round, round)) won.push(round)
  }
  console.log(JSON.stringify({ won }))
`

async function writerScript(): Promise<string> {
  const outfile = join(mkdtempSync(join(root, 'script-')), 'writer.mjs')
  const stdin = { contents: WRITER, resolveDir: import.meta.dirname, loader: 'ts' as const }
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile })
  return outfile
}

/** Writers that never end, each killed after it has reported this many commits. Returns what each has reported. */
async function killedWriters(folder: string, count: number): Promise<readonly number[]> {
  const script = await writerScript()
  const go = join(root, 'go-killed')
  writeFileSync(go, '')
  return Promise.all(
    Array.from({ length: count }, (_, me) => {
      const child = spawn(process.execPath, [script, `${me}`, folder, 'Infinity', go])
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
        if (output.split('done').length > 20 * (me + 1)) child.kill('SIGKILL')
      })
      return new Promise<number>((resolve) =>
        child.on('close', () => resolve(output.split('done\n').length - 1)),
      )
    }),
  )
}

/** Starts real processes that commit at the same time. Returns which commits each of them believes were accepted. */
async function inProcesses(processes: number, folder: string, rounds: number): Promise<{ won: number[] }[]> {
  const script = await writerScript()
  const go = join(root, 'go')
  let ready = 0
  const running = Array.from({ length: processes }, (_, me) => {
    const child = spawn(process.execPath, [script, `${me}`, folder, `${rounds}`, go])
    return new Promise<{ won: number[] }>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        if (output === '' && ++ready === processes) writeFileSync(go, '')
        output += chunk
      })
      let errors = ''
      child.stderr.on('data', (chunk) => {
        errors += chunk
      })
      child.on('close', (code) =>
        code === 0 ? resolve(JSON.parse(output.split('\n')[1] ?? '')) : reject(new Error(errors)),
      )
    })
  })
  return Promise.all(running)
}
