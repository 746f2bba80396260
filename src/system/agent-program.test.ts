import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findAgent } from './agent-program.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-agent-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PACKAGE = 'node_modules/@maker/agent'
/** It says another version than its package, so that a test sees who was asked. */
const SAYS = '#!/bin/sh\necho "agent 9.9.9"\n'

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}

function linked(to: string): void {
  mkdirSync(join(folder, 'bin'))
  symlinkSync(to, join(folder, 'bin', 'agent'))
}

const found = async () => (await findAgent('agent', { PATH: join(folder, 'bin') }))?.version

it('a program that npm installed has the version of its package, and is not started', async () => {
  linked(write(`${PACKAGE}/cli.js`, SAYS))
  write(`${PACKAGE}/package.json`, JSON.stringify({ version: '1.2.3', bin: { agent: './cli.js' } }))
  expect(await found()).toBe('1.2.3')
})

it.each([
  ['is not one of the programs of its package', { version: '1.2.3', bin: { other: 'other.js' } }],
  ['is of a package without a release', { version: '0.0.0-dev', bin: 'cli.js' }],
  ['is of a package without a version', { bin: 'cli.js' }],
])('a program that %s is asked itself', async (_name, manifest) => {
  linked(write(`${PACKAGE}/cli.js`, SAYS))
  write(`${PACKAGE}/package.json`, JSON.stringify(manifest))
  expect(await found()).toBe('9.9.9')
})

it.each([
  ['by its installer has the version that names its file', 'share/claude/versions/2.1.325', '2.1.325'],
  ['under a name that is no version is asked itself', 'share/claude/versions/latest', '9.9.9'],
  ['of another agent in such a folder is asked itself', 'share/other/versions/2.1.325', '9.9.9'],
])('a program that was put there %s', async (_name, file, version) => {
  linked(write(file, SAYS))
  expect(await found()).toBe(version)
})

it('a loader, which starts another version than that of its package, is asked itself', async () => {
  linked(write(`${PACKAGE}/npm-loader.js`, SAYS))
  write(`${PACKAGE}/package.json`, JSON.stringify({ version: '1.2.3', bin: { agent: 'npm-loader.js' } }))
  expect(await found()).toBe('9.9.9')
})

it('a program outside of packages is asked itself, whatever lies beside it', async () => {
  write('bin/agent', SAYS)
  write('bin/package.json', JSON.stringify({ version: '1.2.3', bin: { agent: 'agent' } }))
  expect(await found()).toBe('9.9.9')
})

it('a folder, a file that is no program, and nothing are no agents', async () => {
  mkdirSync(join(folder, 'bin', 'agent'), { recursive: true })
  expect(await findAgent('agent', { PATH: join(folder, 'bin') })).toBeUndefined()
  chmodSync(write('more/agent', SAYS), 0o644)
  expect(await findAgent('agent', { PATH: join(folder, 'more') })).toBeUndefined()
  expect(await findAgent('agent', { PATH: '' })).toBeUndefined()
})
