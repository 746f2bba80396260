import { describe, expect, test } from 'vitest'
import { selectTests } from '../../scripts/test-selection.mjs'
import { repositoryFiles } from './tree.ts'

const paths = repositoryFiles()
const select = (...names: string[]) => selectTests(names, paths)

describe('`npm test -- <name>`', () => {
  test.each(['safety/git/force-push', 'git/force-push', 'src/policy/packs/safety/git/force-push.ts'])(
    'tests one guard: %s',
    (name) => {
      expect(select(name)).toEqual({
        files: ['src/policy/packs/safety/git/guards.test.ts'],
        only: ['safety/git/force-push'],
        unknown: [],
      })
    },
  )

  test('tests every guard with that name', () => {
    const { files, only } = select('force-push')
    expect(files).toContain('src/policy/packs/safety/git/guards.test.ts')
    expect(only).toContain('safety/git/force-push')
  })

  test('adds the separate test file of a guard', () => {
    expect(select('delete-root')).toMatchObject({
      files: expect.arrayContaining([
        'src/policy/packs/safety/files/guards.test.ts',
        'src/policy/packs/safety/files/delete-root.test.ts',
      ]),
      only: ['safety/files/delete-root'],
    })
  })

  test.each([
    ['containers/kubernetes', ['containers/kubernetes']],
    ['src/shell/programs/files/rm.ts', ['files/rm']],
    // A part of git, which several programs use.
    ['git/push', ['git/git', 'git/hosts', 'git/mercurial']],
  ])('tests the programs in %s', (name, only) => {
    expect(select(name)).toMatchObject({ files: ['src/shell/programs/programs.test.ts'], only })
  })

  test('tests one host, and no file of another suite', () => {
    const { files, only } = select('codex')
    expect(files).toContain('src/hosts/codex/host.test.ts')
    expect(files.every((path) => path.startsWith('src/hosts/codex/'))).toBe(true)
    expect(only).toEqual([])
  })

  test.each(['http-port', 'long-waits', 'parity.test'])(
    'does not choose %s, which another command runs',
    (name) => {
      expect(select(name)).toEqual({ files: [], only: [], unknown: [name] })
    },
  )

  test('runs a complete suite that is chosen by its path', () => {
    expect(select('safety/git/guards.test', 'safety/git/force-push').only).toEqual([])
  })

  test('reports a name that nothing matches', () => {
    expect(select('force-push', 'xyzzy').unknown).toEqual(['xyzzy'])
  })

  test('finds a suite for every guard', () => {
    const guards = paths
      .map((path) => /^docs\/guards\/(.+\/.+)\.md$/.exec(path)?.[1])
      .filter((id) => id !== undefined)
    expect(guards.length).toBeGreaterThan(100)
    for (const id of guards) expect(select(id).only).toContain(id)
  })
})
