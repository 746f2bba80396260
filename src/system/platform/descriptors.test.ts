import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { socketPathMax, withSocketPath } from './descriptors.ts'
import { pretendPlatform } from './platform.testing.ts'

let base: string
let restore = () => {}
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'holdpoint-socket-'))
})
afterEach(() => {
  restore()
  rmSync(base, { recursive: true, force: true })
})

const linksInTmp = () =>
  readdirSync('/tmp').filter(
    (name) => name.startsWith('holdpoint-') && existsSync(join('/tmp', name, 'run', 'mark')),
  )

it('a socket has its plain path if the system accepts it', async () => {
  expect(await withSocketPath('/srv/run', 'hook.sock', async (path) => path)).toBe('/srv/run/hook.sock')
})

it.each<[NodeJS.Platform, string]>([
  ['linux', 'x'.repeat(120)],
  ['linux', 'ü'.repeat(60)],
  ['darwin', 'x'.repeat(120)],
  ['darwin', 'ü'.repeat(60)],
])('on %s, a socket in a folder with a long path is bound and reached: %s', async (platform, name) => {
  restore = pretendPlatform(platform)
  const folder = join(base, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'mark'), '')
  const used: string[] = []
  const server = createServer((socket) => socket.end('hello'))
  await withSocketPath(folder, 'hook.sock', (path) => {
    used.push(path)
    return new Promise<void>((resolve) => server.listen({ path }, resolve))
  })
  expect(existsSync(join(folder, 'hook.sock'))).toBe(true)
  const said = await withSocketPath(folder, 'hook.sock', (path) => {
    used.push(path)
    return new Promise<string>((resolve, reject) => {
      createConnection(path)
        .on('data', (data) => resolve(String(data)))
        .on('error', reject)
    })
  })
  server.close()
  expect(said).toBe('hello')
  for (const path of used) expect(Buffer.byteLength(path)).toBeLessThanOrEqual(socketPathMax(platform))
  // Nothing is left behind.
  expect(linksInTmp()).toEqual([])
  expect(readFileSync(join(folder, 'mark'), 'utf8')).toBe('')
})

it('the folder with the link is removed, and the folder behind it is not, if the work fails', async () => {
  restore = pretendPlatform('darwin')
  const folder = join(base, 'y'.repeat(120))
  mkdirSync(folder)
  writeFileSync(join(folder, 'mark'), 'kept')
  await expect(withSocketPath(folder, 'hook.sock', () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  )
  expect(linksInTmp()).toEqual([])
  expect(readFileSync(join(folder, 'mark'), 'utf8')).toBe('kept')
})

it.each<[NodeJS.Platform, number]>([
  ['darwin', 103],
  ['linux', 107],
])('on %s, a path of a socket has at most %i bytes', (platform, bytes) => {
  expect(socketPathMax(platform)).toBe(bytes)
})
