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
  ['the project is the outermost configured folder of a repository', ['a'], ['a', 'a/b', 'a/b/c'], 'a'],
  [
    'the project is not above the repository if the repository has a configuration',
    ['a/b'],
    ['a', 'a/b/c'],
    'a/b/c',
  ],
  ['the project is above the repository if the repository has no configuration', ['a/b'], ['a'], 'a'],
  ['the project is the nearest configured folder outside of a repository', [], ['a', 'a/b'], 'a/b'],
  ['the project is the repository if nothing is configured', ['a/b'], [], 'a/b'],
  ['the project is the folder itself if there is no repository', [], [], 'a/b/c'],
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
