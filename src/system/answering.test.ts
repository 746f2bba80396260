import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, it } from 'vitest'
import { note, take } from './answering.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-answering-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a note that is written while another process waits for it is found', async () => {
  const notes = 400
  const writer = new Worker(
    `const { writeFileSync } = require('node:fs')
     const { workerData, parentPort } = require('node:worker_threads')
     parentPort.on('message', (name) => writeFileSync(workerData + '/' + name, ''))`,
    { eval: true, workerData: folder },
  )
  try {
    for (let count = 0; count < notes; count += 1) {
      writer.postMessage(`n${count}`)
      expect(await take(folder, `n${count}`, 60_000)).toBe(true)
    }
  } finally {
    await writer.terminate()
  }
})

it('an old note of an equal call is ignored, and one that is written again is found', async () => {
  note(folder, 'again')
  utimesSync(join(folder, 'again'), new Date(0), new Date(0))
  expect(await take(folder, 'again', 0)).toBe(false)
  note(folder, 'again')
  expect(await take(folder, 'again', 0)).toBe(true)
  expect(await take(folder, 'again', 0)).toBe(false)
})
