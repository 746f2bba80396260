import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AGENTS, ALWAYS, fileOf, filesInFull, IN_FULL, PACKAGES } from '../../scripts/hosts/agents.mjs'
import { chosenBy } from '../../scripts/hosts/chosen.mjs'
import { withRun } from '../../scripts/hosts/evidence.mjs'
import { changedAgents, inputFiles, inputsHash } from '../../scripts/hosts/inputs.mjs'
import { isInstalled } from '../../scripts/hosts/installed.mjs'
import { EVERY_PROGRAM } from '../hosts/short/programs.ts'
import { readText, repositoryFiles } from './tree.ts'

/** The lane of the agents, `npm run test:hosts`: what it plays, when it plays more, and what it installs. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-lane-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const suites = repositoryFiles().filter((path) => /^test\/hosts\/.*\.test\.ts$/.test(path))

describe('the files of the lane', () => {
  it('are all played by `--all`, and none is named that is not there', () => {
    expect([...chosenBy(['--all'], []).files].sort()).toEqual([...suites].sort())
  })

  it('have one for each agent, which plays that agent', () => {
    expect(AGENTS.toSorted()).toEqual(Object.keys(EVERY_PROGRAM).sort())
    for (const agent of AGENTS) {
      expect(readText(fileOf(agent))).toContain(`playInShort('${agent}')`)
      const isApart = Object.entries(IN_FULL).some(
        ([file, of]) => file.includes('hosts.test') && of.includes(agent),
      )
      expect([agent, readText(fileOf(agent)).includes(`playInFull('${agent}')`)]).toEqual([agent, !isApart])
    }
  })

  it('are about agents that are pinned', () => {
    const { dependencies, optionalDependencies } = JSON.parse(readText('test/hosts/package.json'))
    const pinned = Object.keys({ ...dependencies, ...optionalDependencies })
    expect(Object.values(PACKAGES).filter((name) => !pinned.includes(name))).toEqual([])
    expect(
      Object.values(IN_FULL)
        .flat()
        .filter((agent) => !AGENTS.includes(agent)),
    ).toEqual([])
  })
})

describe('chosenBy', () => {
  const short = [...ALWAYS, ...AGENTS.map(fileOf)]

  it.each([
    ['every agent in short', [], [], short, []],
    [
      'one that has changed in full depth too',
      [],
      ['grok'],
      [...short, 'test/hosts/dialects/importers.test.ts'],
      ['grok'],
    ],
    [
      'named agents alone',
      ['codex', 'pi'],
      ['grok'],
      [...filesInFull('codex'), ...filesInFull('pi')],
      ['codex', 'pi'],
    ],
    [
      'named files as HOLDPOINT_HOSTS says',
      ['test/hosts/setup.test.ts'],
      [],
      ['test/hosts/setup.test.ts'],
      undefined,
    ],
    [
      'a file for one agent',
      ['test/hosts/hosts.test.ts', 'codex'],
      [],
      ['test/hosts/hosts.test.ts'],
      ['codex'],
    ],
  ])('plays %s', (_what, words, changed, files, inFull) => {
    expect(chosenBy(words, changed)).toMatchObject({ files, inFull, options: [] })
  })

  it('passes options to vitest, and refuses a name that is none', () => {
    expect(chosenBy(['pi', '-t', 'stop'], [])).toMatchObject({ inFull: ['pi'], options: ['-t', 'stop'] })
    expect(chosenBy(['--all', '--bail', '1'], [])).toMatchObject({ inFull: AGENTS, options: ['--bail', '1'] })
    expect(chosenBy(['pie'], [])).toMatchObject({ unknown: 'pie' })
  })
})

describe('docs/hosts/evidence.json', () => {
  it.each(AGENTS)('was made with %s as it is now', (agent) => {
    const why = `The folder, the dialect, the recorded payloads or the version of ${agent} changed since it was last tried in full depth.`
    const fix = `HOLDPOINT_WRITE_EVIDENCE=1 npm run test:hosts -- ${agent}`
    expect(changedAgents(process.cwd(), [agent]), `${why} Run: ${fix}`).toEqual([])
  })
})

describe('what the evidence about an agent depends on', () => {
  const root = () => join(folder, 'repository')
  beforeAll(() => {
    for (const path of [
      'src/hosts',
      'src/adapters/client/plugins',
      'test/hosts/package.json',
      'docs/hosts',
    ]) {
      cpSync(path, join(root(), path), { recursive: true })
    }
    const all = AGENTS.map((agent) => [agent, { full: { inputs: inputsHash(root(), agent) } }])
    writeFileSync(join(root(), 'docs/hosts/evidence.json'), JSON.stringify(Object.fromEntries(all)))
  })

  /** The agents that have changed if the file has. */
  const changedBy = (path: string, by: (text: string) => string): readonly string[] => {
    const file = join(root(), path)
    const before = existsSync(file) ? readFileSync(file, 'latin1') : undefined
    writeFileSync(file, by(before ?? ''), 'latin1')
    const changed = changedAgents(root())
    if (before === undefined) rmSync(file)
    else writeFileSync(file, before, 'latin1')
    return changed.toSorted()
  }

  it('is the same if nothing has changed', () => {
    expect(changedAgents(root())).toEqual([])
  })

  it.each([
    ['a table of one agent', 'src/hosts/copilot/dialect.ts', ['copilot']],
    ['a recorded payload', 'src/hosts/codex/fixtures/Stop.json', ['codex']],
    ['one payload more', 'src/hosts/pi/fixtures/More.json', ['pi']],
    ['what two agents import', 'src/hosts/opencode-family.ts', ['kilo', 'opencode']],
    ['a plugin', 'src/adapters/client/plugins/pi.ts', ['pi']],
    ['what a plugin imports', 'src/adapters/client/plugins/once.ts', ['openclaw']],
    ['a test', 'src/hosts/copilot/host.test.ts', []],
    ['an agent that is never run', 'src/hosts/cursor/dialect.ts', []],
    ['the table of hosts', 'src/hosts/index.ts', []],
    ['a reader of JSON texts', 'src/hosts/json-text.ts', []],
  ])('%s concerns the right agents', (_what, path, concerned) => {
    expect(changedBy(path, (text) => `${text}\n`)).toEqual(concerned)
  })

  it('changes with the pinned version', () => {
    const pinning = (text: string) => text.replace(/("openclaw": ")[^"]+/, '$10.0.1')
    expect(changedBy('test/hosts/package.json', pinning)).toEqual(['openclaw'])
  })

  it('does not change with line endings', () => {
    for (const file of inputFiles(root(), 'claude-code')) {
      const ending = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')
      writeFileSync(join(root(), file), ending(readFileSync(join(root(), file), 'latin1')), 'latin1')
    }
    expect(changedAgents(root(), ['claude-code'])).toEqual([])
  })

  it('are all code of the agent, and the dialect that it imports', () => {
    const files = inputFiles(process.cwd(), 'copilot')
    expect(files).toEqual(
      expect.arrayContaining([
        'src/hosts/copilot/tools.ts',
        'src/hosts/dialect-decode.ts',
        'src/hosts/own-file.ts',
      ]),
    )
    expect(files.some((file) => file.startsWith('src/hosts/copilot/transcripts/'))).toBe(true)
    expect(files.filter((file) => !/^src\/(?:hosts|adapters\/client\/plugins)\//.test(file))).toEqual([])
  })
})

describe('withRun', () => {
  const root = process.cwd()
  const on = '2026-11-19'
  const result = (file: string, statuses: readonly string[], seen = {}) => ({
    name: join(root, file),
    status: statuses.every((status) => status === 'passed') ? 'passed' : 'failed',
    assertionResults: statuses.map((status) => ({ status, meta: { version: '1.2.3', seen } })),
  })
  const runOf = (results: readonly ReturnType<typeof result>[], agents: readonly string[], exitCode = 0) =>
    withRun({ grok: { deny: { words: 'before' } } }, { testResults: results }, { root, agents, on, exitCode })

  it('writes what was seen, and the hash if every file of the agent has passed', () => {
    const { evidence, passed } = runOf(
      [
        result(fileOf('grok'), ['passed', 'passed'], { deny: 'not run' }),
        result('test/hosts/dialects/importers.test.ts', ['passed']),
      ],
      ['grok'],
    )
    expect(passed).toEqual(['grok'])
    expect(evidence.grok).toEqual({
      full: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), on, inputs: inputsHash(root, 'grok') },
      deny: { version: '1.2.3', on, words: 'not run' },
    })
  })

  it.each([
    ['a test failed', [result(fileOf('copilot'), ['passed', 'failed'])], 1],
    ['a test was left out', [result(fileOf('copilot'), ['passed', 'skipped'])], 0],
    ['the file was not played', [], 0],
    ['the file has no tests', [result(fileOf('copilot'), [])], 0],
    ['something failed outside of the tests', [result(fileOf('copilot'), ['passed'])], 1],
  ])('writes no hash if %s', (_what, results, exitCode) => {
    const { evidence, passed } = runOf(results, ['copilot'], exitCode)
    expect(passed).toEqual([])
    expect(evidence.copilot).not.toMatchObject({ full: expect.anything() })
    expect(evidence.grok).toEqual({ deny: { words: 'before' } })
  })
})

describe('isInstalled', () => {
  const entry = { version: '1.0.0', integrity: 'sha512-one' }
  const elsewhere = { ...entry, optional: true, os: ['none'] }
  const place = (name: string, locked: object, installed?: object, there: readonly string[] = ['a']) => {
    const root = join(folder, name)
    const write = (path: string, packages: object) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), JSON.stringify({ packages }))
    }
    write('package-lock.json', locked)
    if (installed !== undefined) write('node_modules/.package-lock.json', installed)
    for (const each of there) write(`node_modules/${each}/package.json`, {})
    return root
  }
  const lock = {
    '': { dependencies: { a: '1' }, optionalDependencies: { far: '1', near: '1' } },
    'node_modules/a': entry,
    'node_modules/far': elsewhere,
  }
  const near = { 'node_modules/near': { ...entry, optional: true } }

  it.each<[string, boolean, object, object | undefined, readonly string[]]>([
    ['everything that fits is there', true, lock, { 'node_modules/a': entry }, ['a']],
    ['nothing was installed', false, lock, undefined, []],
    ['another version is there', false, lock, { 'node_modules/a': { ...entry, version: '0.9.0' } }, ['a']],
    ['other bytes are there', false, lock, { 'node_modules/a': { ...entry, integrity: 'x' } }, ['a']],
    ['the folder of a package was removed', false, lock, { 'node_modules/a': entry }, []],
    ['a package is missing', false, lock, {}, []],
    [
      'an optional package that fits and is named is missing',
      false,
      { ...lock, ...near },
      { 'node_modules/a': entry },
      ['a'],
    ],
    ['more is there', false, lock, { 'node_modules/a': entry, 'node_modules/b': entry }, ['a', 'b']],
  ])('%s: %s', (what, expected, locked, installed, there) => {
    expect(isInstalled(place(what.replaceAll(' ', '-'), locked, installed, there))).toBe(expected)
  })
})
