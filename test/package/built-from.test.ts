import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildId, isBuilt, noteBuilt } from '../../scripts/build-id.mjs'

/** What must build again, and what need not. A build itself fails if it puts a file into dist/ that is not known here. */

/** One of each kind: a change of it is a change of dist/. */
const SOURCES = [
  'src/index.ts',
  'src/tools/board/web/main.tsx',
  'src/tools/board/web/app.css',
  'src/tools/board/web/index.html',
  'src/tools/board/web/icon.svg',
  'src/tools/board/web/tsconfig.json',
  'bin/holdpoint.ts',
  'packages/fleet/src/collector.ts',
  'native/holdpoint-hook.c',
  'native/client.h',
  'scripts/build.mjs',
  'scripts/lazy.mjs',
  'scripts/chunks.mjs',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
/** No part of any file in dist/. */
const OTHERS = [
  'src/index.test.ts',
  'src/hosts/codex/fixtures/PreToolUse.json',
  'test/e2e/init.test.ts',
  'packages/fleet/test/cluster.ts',
  'docs/guide/start.md',
  'docs/guards/safety/git/force-push.md',
  'native/README.md',
  'scripts/house.mjs',
  'scripts/bench/peers/node_modules/peer/index.js',
]

const MADE = ['dist/holdpoint.cjs', 'dist/board.json.br', 'packages/fleet/dist/collector.cjs']

let folder: string
const write = (path: string, text = '') => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const built = () => noteBuilt(folder, buildId(folder), MADE)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-built-from-'))
  for (const path of [...SOURCES, ...OTHERS, ...MADE]) write(path)
  write('package.json', '{"version":"1.0.0"}')
  write('scripts/build.mjs', "import { chunks } from './chunks.mjs'\n")
  write('scripts/chunks.mjs', "import './build.mjs'\nconst { lazy } = await import('./lazy.mjs')\n")
  built()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a build is out of date', () => {
  it.each(SOURCES)('after a change of %s', (path) => {
    expect(isBuilt(folder)).toBe(true)
    appendFileSync(join(folder, path), '\n')
    expect(isBuilt(folder)).toBe(false)
    built()
    expect(isBuilt(folder)).toBe(true)
  })

  it('after a change of the version', () => {
    write('package.json', '{"version":"1.0.1"}')
    expect(isBuilt(folder)).toBe(false)
  })

  it('when there is another source, or one less', () => {
    write('src/second.ts')
    expect(isBuilt(folder)).toBe(false)
    built()
    rmSync(join(folder, 'src', 'second.ts'))
    expect(isBuilt(folder)).toBe(false)
  })

  it.each([...MADE, 'dist', 'build', 'packages/fleet/dist'])('when %s is missing', (path) => {
    rmSync(join(folder, path), { recursive: true })
    expect(isBuilt(folder)).toBe(false)
  })
})

it.each(OTHERS)('a build is still good after a change of %s', (path) => {
  appendFileSync(join(folder, path), '\n')
  expect(isBuilt(folder)).toBe(true)
})
