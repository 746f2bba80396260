import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findProject } from './project.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-project-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it.each<[string, readonly string[], readonly string[], string]>([
  ['the outermost in a repository', ['a'], ['a', 'a/b', 'a/b/c'], 'a'],
  ['not above the repository, where it has one', ['a/b'], ['a', 'a/b/c'], 'a/b/c'],
  ['above the repository, where it has none', ['a/b'], ['a'], 'a'],
  ['the nearest outside of a repository', [], ['a', 'a/b'], 'a/b'],
  ['the repository where there is none', ['a/b'], [], 'a/b'],
  ['the folder itself where there is nothing', [], [], 'a/b/c'],
])('%s', (_name, repositories, configs, expected) => {
  const cwd = join(folder, 'a/b/c')
  mkdirSync(cwd, { recursive: true })
  for (const each of repositories) mkdirSync(join(folder, each, '.git'))
  for (const each of configs) {
    mkdirSync(join(folder, each, '.holdpoint'))
    writeFileSync(join(folder, each, '.holdpoint/config.yaml'), 'version: 1\n')
  }
  expect(findProject(cwd)).toBe(join(folder, expected))
})
