import { describe, expect, test } from 'vitest'
import { missingPaths } from './named-paths.ts'
import { readText, repositoryFiles } from './tree.ts'

/** A recipe creates these files: they do not exist before the recipe is followed. */
const CREATED_BY_RECIPES = [
  'src/policy/packs/safety/git/delete-notes.ts',
  'src/shell/programs/files/frob.ts',
  'src/shell/programs/files/frob.cases.ts',
]

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md'])('every file that %s names exists', (page) => {
  const missing = missingPaths(readText(page), repositoryFiles())
  expect(missing.filter((path) => !CREATED_BY_RECIPES.includes(path))).toEqual([])
})

describe('the check of named paths', () => {
  const files = [
    'src/daemon/protocol.ts',
    'src/hosts/codex/decode.ts',
    'test/gates/rooms.ts',
    'native/hook.c',
  ]

  test.each([
    '`src/daemon/protocol.ts`',
    '`daemon/protocol.ts` and `protocol.ts`',
    '`src/hosts/<id>/decode.ts`, `src/hosts/…`, `src/daemon/`',
    '```\nnative/hook.c   bytes to the daemon\n  protocol.ts: what they say\n```',
    '`npm test -- test/gates/rooms.ts`',
    'a page that writes missing.ts outside of code',
    '`run/hook.sock`, `<home>/bin/` and `safety/git/force-push` are not files of the repository',
  ])('accepts %s', (page) => {
    expect(missingPaths(page, files)).toEqual([])
  })

  test.each([
    ['`src/daemon/served.ts`', 'src/daemon/served.ts'],
    ['a table\n\n| a |\n|---|\n| `life.ts` |', 'life.ts'],
    ['`tocol.ts`', 'tocol.ts'],
    ['`src/hosts/<id>/encode.ts`', 'src/hosts/<id>/encode.ts'],
    ['`src/keeper/`', 'src/keeper'],
    ['```\ndaemon/socket-door.ts   frames\n```', 'daemon/socket-door.ts'],
    ['`npm test -- test/e2e/missing`', 'test/e2e/missing'],
  ])('finds the missing file of %s', (page, path) => {
    expect(missingPaths(page, files)).toEqual([path])
  })
})
