import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { ingestSpool } from './ingest.ts'
import { openSqliteStore } from './sqlite/store.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-spool-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => join(mkdtempSync(join(root, 'j-')), 'journal')

const RECORD = {
  at: '2026-01-15T12:00:00.000Z',
  host: 'test',
  event: 'Stop',
  session: 's',
  cwd: '/p',
  project: '/p',
  effect: 'pass',
  because: [],
  durationMs: 1,
  revision: 'rev',
}

describe('many processes at once can', () => {
  const processes = 4
  const each = 60
  const expected = Array.from({ length: processes }, (_, p) =>
    Array.from({ length: each }, (_, n) => `${p}:${n}`),
  ).flat()

  it('append to one journal, even if all of them create it', async () => {
    const folder = newFolder()
    await inProcesses(
      processes,
      folder,
      `const store = openSqliteStore(folder)
       for (let n = 0; n < ${each}; n++) store.append([recordOf(me + ':' + n)])
       store.close()`,
    )
    expectAll(folder)
  })

  it('write to the spool and import it', async () => {
    const folder = newFolder()
    await inProcesses(
      processes,
      folder,
      `const store = openSqliteStore(folder)
       for (let n = 0; n < ${each}; n++) {
         // Large enough that the spool is rotated several times.
         const result = appendToSpool(folder, { ...recordOf(me + ':' + n), input: 'x'.repeat(100_000) })
         if (!result.ok) throw new Error(result.problem.message)
         if (n % 3 === 0) ingestSpool(folder, store)
       }
       store.close()`,
    )
    const store = openSqliteStore(folder)
    ingestSpool(folder, store)
    store.close()
    expectAll(folder)
  })

  function expectAll(folder: string): void {
    const store = openSqliteStore(folder)
    expect([...store.read({})].map(({ record }) => record.id).sort()).toEqual([...expected].sort())
    expect(store.verify()).toMatchObject({ ok: true, records: expected.length })
    store.close()
  }
})

/** Runs the same code in several real processes, which start at the same time. */
async function inProcesses(processes: number, folder: string, lines: string): Promise<void> {
  const place = mkdtempSync(join(root, 'script-'))
  const [script, go] = [join(place, 'script.cjs'), join(place, 'go')]
  const source = `
    import { existsSync } from 'node:fs'
    import { ingestSpool } from './ingest.ts'
    import { appendToSpool } from './spool.ts'
    import { openSqliteStore } from './sqlite/store.ts'
    const [me, folder, go] = process.argv.slice(2)
    const recordOf = (id) => ({ ...${JSON.stringify(RECORD)}, id })
    process.stdout.write('ready')
    while (!existsSync(go)) {}
    ${lines}
  `
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['libsql'],
    define: { 'import.meta.filename': '__filename' },
    outfile: script,
  })
  let ready = 0
  const running = Array.from({ length: processes }, (_, me) => {
    const child = spawn(process.execPath, [script, `${me}`, folder, go], {
      env: { ...process.env, NODE_PATH: resolve('node_modules') },
    })
    return new Promise<void>((done, failed) => {
      child.stdout.on('data', () => {
        if (++ready === processes) writeFileSync(go, '')
      })
      let errors = ''
      child.stderr.on('data', (chunk) => {
        errors += chunk
      })
      child.on('close', (code) => (code === 0 ? done() : failed(new Error(errors))))
    })
  })
  await Promise.all(running)
}
