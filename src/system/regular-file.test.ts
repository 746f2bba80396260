import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRegularFile, readRegularText, staysInside } from './regular-file.ts'

let folder: string
const at = (...names: string[]) => join(folder, ...names)
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-regular-')))
  mkdirSync(at('project'))
  mkdirSync(at('outside'))
  writeFileSync(at('outside', 'netrc'), 'machine example.com password hunter2')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a regular file', () => {
  it('is read, up to the limit', () => {
    expect(readRegularText(at('outside', 'netrc'), 100)).toContain('hunter2')
    expect(readRegularFile(at('outside', 'netrc'), 10)).toEqual({ kind: 'too-large', sizeBytes: 36 })
    expect(readRegularFile(at('nothing'), 10)).toEqual({ kind: 'missing' })
    expect(readRegularFile(at('outside', 'netrc', 'x'), 10)).toEqual({ kind: 'missing' })
    expect(readRegularFile('/x\0y', 10).kind).toBe('missing')
  })

  it.each([
    ['a pipe', () => execFileSync('mkfifo', [at('x')])],
    ['a folder', () => mkdirSync(at('x'))],
    ['a link to a device', () => symlinkSync('/dev/zero', at('x'))],
    ['a link to /proc', () => symlinkSync('/proc/kmsg', at('x'))],
    [
      'a link to a link to /proc',
      () => {
        symlinkSync('/proc', at('y'))
        symlinkSync('y/kmsg', at('x'))
      },
    ],
    ['a link to the terminal', () => symlinkSync('/dev/tty', at('x'))],
    ['a link to /sys', () => symlinkSync('/sys/kernel/notes', at('x'))],
  ])('is not %s', (_name, make) => {
    make()
    expect(readRegularFile(at('x'), 1_000).kind).toBe('special')
  })

  it('is not a socket, and a loop of links is unreadable', async () => {
    const server = createServer().listen(at('x'))
    await new Promise((resolve) => server.once('listening', resolve))
    expect(['special', 'closed']).toContain(readRegularFile(at('x'), 1_000).kind)
    server.close()
    symlinkSync('loop', at('loop'))
    expect(readRegularFile(at('loop'), 10).kind).toBe('closed')
  })
})

describe('a path is checked for leaving its folder', () => {
  it.each([
    ['a plain file', () => {}, 'x', true],
    ['a link within', () => symlinkSync('y', at('project', 'x')), 'x', true],
    ['a link to a file outside', () => symlinkSync('../outside/netrc', at('project', 'x')), 'x', false],
    ['an absolute link outside', () => symlinkSync(at('outside', 'netrc'), at('project', 'x')), 'x', false],
    ['an absolute link within', () => symlinkSync(at('project', 'y'), at('project', 'x')), 'x', true],
    ['a folder that is a link', () => symlinkSync('../outside', at('project', 'd')), 'd/netrc', false],
    [
      'a link to a link outside',
      () => {
        symlinkSync('../outside/netrc', at('project', 'y'))
        symlinkSync('y', at('project', 'x'))
      },
      'x',
      false,
    ],
    ['a link to a missing folder', () => symlinkSync('/nowhere/x', at('project', 'x')), 'x', false],
    ['a link that goes out and comes back', () => symlinkSync('../project/y', at('project', 'x')), 'x', true],
    ['a path with ..', () => {}, '../outside/netrc', false],
    ['a loop of links', () => symlinkSync('x', at('project', 'x')), 'x', false],
  ])('with %s: %s', (_name, make, path, inside) => {
    make()
    expect(staysInside(at('project', path), at('project'))).toBe(inside)
  })

  it('even if the project itself is reached through a link', () => {
    symlinkSync('project', at('way'))
    writeFileSync(at('project', 'x'), '')
    symlinkSync('../outside/netrc', at('project', 'y'))
    expect(staysInside(at('way', 'x'), at('way'))).toBe(true)
    expect(staysInside(at('way', 'y'), at('way'))).toBe(false)
    expect(staysInside(at('project', 'x'), at('way'))).toBe(true)
  })
})
