import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linkCommand, unlinkCommand } from './command-link.ts'
import { homeLayout } from './home.ts'

let user: string
let home: ReturnType<typeof homeLayout>
const own = () => join(user, '.local', 'bin')
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), 'holdpoint-link-'))
  home = homeLayout(undefined, { HOME: user })
  mkdirSync(own(), { recursive: true })
})
afterEach(() => rmSync(user, { recursive: true }))

function program(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'holdpoint')
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
  return file
}

describe('`holdpoint` on PATH', () => {
  it('is linked into a folder of the user that is on PATH', () => {
    expect(linkCommand(home, `/usr/bin:${own()}`)).toEqual({ path: join(own(), 'holdpoint'), linked: true })
    expect(readlinkSync(join(own(), 'holdpoint'))).toBe(home.command)
    unlinkCommand(home)
    expect(existsSync(join(own(), 'holdpoint'))).toBe(false)
  })

  it('is not changed if a shell already finds one', () => {
    const there = program(join(user, 'global'))
    expect(linkCommand(home, `${own()}:${join(user, 'global')}`)).toEqual({ path: there, linked: false })
  })

  it('does not count the folder that npx puts on PATH for itself', () => {
    const folder = join(user, '.npm', '_npx', 'x', 'node_modules', '.bin')
    program(folder)
    expect(linkCommand(home, `${folder}:${own()}`).linked).toBe(true)
  })

  it('is not created if no folder of the user is on PATH', () => {
    expect(linkCommand(home, '/usr/bin')).toEqual({ path: undefined, linked: false })
    expect(linkCommand(home, undefined)).toEqual({ path: undefined, linked: false })
  })

  it('is created again if our old link is broken', () => {
    symlinkSync(home.command, join(own(), 'holdpoint'))
    expect(linkCommand(home, own()).linked).toBe(true)
  })

  it('does not change a file of another program', () => {
    writeFileSync(join(own(), 'holdpoint'), 'mine')
    expect(linkCommand(home, own())).toEqual({ path: undefined, linked: false })
    unlinkCommand(home)
    expect(existsSync(join(own(), 'holdpoint'))).toBe(true)
  })
})
