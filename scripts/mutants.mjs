// `npm run mutants -- src/core/match`: changes the code in small ways, and says which changes no test of the same folder
// notices. Everything happens in a copy of the repository. Not a part of continuous integration.
import { fork } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { mutantsOf, mutated } from './mutants/operators.mjs'

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Mutant } from './mutants/operators.mjs' */
/** @import { Verdict } from './mutants/judge.mjs' */
/** @typedef {Mutant & { readonly file: string, readonly folder: string }} Candidate */

const ROOT = join(fileURLToPath(import.meta.url), '..', '..')
const USAGE = `Usage: npm run mutants -- <path>... [--seed <number>] [--count <number>]
A path is a folder or a file of src, or one line of a file: src/core/match, src/core/match/glob.ts:40`
const NOT_MUTATED = /\.(?:test|contract|testing|cases|fixture|d)\.ts$/
/** A run that takes ten times as long as the tests alone does not end. On a busy machine, seconds say little. */
const LIMIT_MIN_MS = 60_000
const LIMIT_TIMES = 10
const SHOWN_MAX = 70

const { paths, seed, count } = readWords()
const candidates = [...new Set(paths.flatMap(filesOf))].sort().flatMap(candidatesIn)
const folders = [...new Set(candidates.map(({ folder }) => folder))]
const drawn = draw(candidates)
console.log(
  `seed ${seed}: ${drawn.length} of ${candidates.length} mutants, in ${countOf(folders.length, 'folder')}`,
)
if (drawn.length === 0) process.exit(0)

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-mutants-')))
/** @type {ChildProcess | undefined} */
let judge
process.on('exit', () => {
  stopJudge()
  rmSync(copy, { recursive: true, force: true, maxRetries: 3 })
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => process.exit(130))
makeCopy()

/** How long the tests of a folder take, if nothing is wrong. @type {Map<string, number>} */
const alone = new Map()
for (const folder of new Set(drawn.map(({ file }) => testFolderOf(file)))) {
  const start = performance.now()
  const { outcome, why } = await ask('vitest.config.ts', [testsIn(folder)], LIMIT_MIN_MS * LIMIT_TIMES)
  if (outcome !== 'passed') {
    console.error(`The tests of ${folder} fail without any mutant, so they say nothing: ${why}.`)
    console.error(`Make them pass first: npm test -- ${folder}`)
    process.exit(1)
  }
  alone.set(folder, performance.now() - start)
}

/** @type {Map<string, { killed: number, all: number }>} */
const scores = new Map()
for (const mutant of drawn) {
  const verdict = await judged(mutant)
  const score = scores.get(mutant.folder) ?? { killed: 0, all: 0 }
  const isKilled = verdict.outcome !== 'passed'
  scores.set(mutant.folder, { killed: score.killed + Number(isKilled), all: score.all + 1 })
  report(mutant, verdict)
}
reportScores()
process.exit(0)

/** @returns {{ readonly paths: readonly string[], readonly seed: number, readonly count: number }} */
function readWords() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '50' } },
    })
    const [seed, count] = [Number(values.seed), Number(values.count)]
    if (!Number.isInteger(seed) || !Number.isInteger(count) || count < 1)
      return usage('--seed and --count are whole numbers.')
    if (positionals.length === 0) return usage('Which code? No path was given.')
    return { paths: positionals, seed, count }
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error))
  }
}

/**
 * @param {string} problem
 * @returns {never}
 */
function usage(problem) {
  console.error(`${problem}\n${USAGE}`)
  process.exit(2)
}

/**
 * `src/a.ts:7` stands for one line of a file.
 * @param {string} path
 */
function fileAndLine(path) {
  const [, file = path, line] = /^(.*\.ts):(\d+)$/.exec(path) ?? []
  return { file: relative(ROOT, join(ROOT, file)).split(sep).join('/'), line: line && Number(line) }
}

/**
 * @param {string} path
 * @returns {readonly string[]}
 */
function filesOf(path) {
  const { file } = fileAndLine(path)
  const stat = statSync(join(ROOT, file), { throwIfNoEntry: false })
  if (stat === undefined) return usage(`There is no ${file}.`)
  if (testFolderOf(stat.isFile() ? file : `${file}/x`) === '')
    return usage(`${file} has no tests beside it or in a folder above it.`)
  const names = stat.isFile() ? [''] : readdirSync(join(ROOT, file), { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => join(file, name).split(sep).join('/'))
    .filter((each) => each.endsWith('.ts') && !NOT_MUTATED.test(each))
}

/**
 * @param {string} file
 * @returns {readonly Candidate[]}
 */
function candidatesIn(file) {
  const lines = paths
    .map(fileAndLine)
    .filter((each) => each.file === file)
    .map(({ line }) => line)
  const isWanted = (/** @type {number} */ line) => lines.length === 0 || lines.includes(line)
  return mutantsOf(readFileSync(join(ROOT, file), 'utf8'))
    .filter(({ line }) => isWanted(line) || lines.includes(undefined))
    .map((mutant) => ({ ...mutant, file, folder: dirname(file) }))
}

/**
 * As many of each folder as of each other, as far as it has them; in the order of the files.
 * @param {readonly Candidate[]} all
 */
function draw(all) {
  const random = randomFrom(seed)
  const piles = folders.map((folder) => {
    const pile = all.filter((each) => each.folder === folder)
    for (let i = pile.length - 1; i > 0; i -= 1) {
      const other = Math.floor(random() * (i + 1))
      const [a, b] = [pile[i], pile[other]]
      if (a !== undefined && b !== undefined) [pile[i], pile[other]] = [b, a]
    }
    return pile
  })
  /** @type {Set<Candidate>} */
  const chosen = new Set()
  for (let turn = 0; chosen.size < Math.min(count, all.length); turn += 1)
    for (const pile of piles) {
      const next = pile[turn]
      if (next !== undefined && chosen.size < count) chosen.add(next)
    }
  return all.filter((each) => chosen.has(each))
}

/**
 * The same numbers for the same seed, on every machine (mulberry32).
 * @param {number} start
 */
function randomFrom(start) {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function makeCopy() {
  const leftOut = new Set(['.git', 'node_modules', 'build', 'docs'].map((name) => join(ROOT, name)))
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !leftOut.has(path) && basename(path) !== 'node_modules',
  })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
}

/**
 * The folder of the file, or the nearest one above it that has tests.
 * @param {string} file
 */
function testFolderOf(file) {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (testsIn(folder).length > 0) return folder
  return ''
}

/**
 * @param {string} folder
 * @returns {readonly string[]}
 */
function testsIn(folder) {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.long.test.ts'))
    .map((name) => `${folder}/${name}`)
}

/**
 * @param {Candidate} mutant
 * @returns {Promise<Verdict>}
 */
async function judged(mutant) {
  const file = join(copy, mutant.file)
  const source = readFileSync(file, 'utf8')
  const folder = testFolderOf(mutant.file)
  const own = basename(mutant.file, '.ts')
  const isOwn = (/** @type {string} */ path) => basename(path).split('.')[0] === own
  const tests = testsIn(folder)
  const stages = [tests.filter(isOwn), tests.filter((path) => !isOwn(path))]
  writeFileSync(file, mutated(source, mutant))
  try {
    const limitMs = Math.max(LIMIT_MIN_MS, (alone.get(folder) ?? 0) * LIMIT_TIMES)
    return await ask(mutant.file, stages, limitMs)
  } finally {
    writeFileSync(file, source)
    await ask(mutant.file, [], LIMIT_MIN_MS)
  }
}

/**
 * @param {string} changed
 * @param {readonly (readonly string[])[]} tests
 * @param {number} limitMs
 * @returns {Promise<Verdict>}
 */
async function ask(changed, tests, limitMs) {
  const child = judge ?? (await startJudge())
  return new Promise((done) => {
    const settle = (/** @type {Verdict} */ verdict) => {
      clearTimeout(timer)
      child.off('message', settle)
      child.off('exit', died)
      done(verdict)
    }
    // A mutant that uses up the memory, for example.
    const died = () => {
      judge = undefined
      settle({ outcome: 'failed', why: 'the process ended' })
    }
    const timer = setTimeout(() => {
      child.off('exit', died)
      stopJudge()
      settle({ outcome: 'timed out', why: 'the tests did not end' })
    }, limitMs)
    child.on('message', settle)
    child.on('exit', died)
    child.send({ changed: join(copy, changed), tests })
  })
}

/** @returns {Promise<ChildProcess>} */
function startJudge() {
  const child = fork(join(copy, 'scripts', 'mutants', 'judge.mjs'), {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  judge = child
  return new Promise((done, failed) => {
    child.once('exit', () => failed(new Error('vitest does not start')))
    child.once('message', () => {
      child.removeAllListeners('exit')
      done(child)
    })
  })
}

/** With the workers it started: one of them may be in an endless loop. */
function stopJudge() {
  const pid = judge?.pid
  judge = undefined
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/**
 * @param {Candidate} mutant
 * @param {Verdict} verdict
 */
function report(mutant, { outcome, why }) {
  const source = readFileSync(join(ROOT, mutant.file), 'utf8')
  const word = { passed: 'survived', failed: 'killed', 'timed out': 'timed out' }[outcome]
  console.log(`${word.padEnd(9)}  ${mutant.file}:${mutant.line}  ${mutant.operator}`)
  const lineStart = source.lastIndexOf('\n', mutant.start) + 1
  const lineEnd = source.indexOf('\n', mutant.end)
  const before = source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  const shift = mutant.start - lineStart
  const after = `${before.slice(0, shift)}${mutant.text}${before.slice(shift + mutant.end - mutant.start)}`
  console.log(`             - ${around(before, shift)}\n             + ${around(after, shift)}`)
  if (why !== '') console.log(`             by ${oneLine(why)}`)
}

/**
 * One line of text with the place that was changed.
 * @param {string} text
 * @param {number} at
 */
function around(text, at) {
  const start = text.length > SHOWN_MAX * 2 && at > SHOWN_MAX ? at - SHOWN_MAX / 2 : 0
  const shown = oneLine(text.slice(start))
  const cut = shown.length > SHOWN_MAX * 2 ? `${shown.slice(0, SHOWN_MAX * 2)} …` : shown
  return start === 0 ? cut : `… ${cut}`
}

/** @param {string} text */
function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim()
}

function reportScores() {
  const width = Math.max(...[...scores.keys()].map((name) => name.length), 'together'.length)
  const row = (/** @type {string} */ name, /** @type {number} */ killed, /** @type {number} */ all) =>
    console.log(`${name.padEnd(width)}  ${killed} of ${all} killed (${Math.round((100 * killed) / all)} %)`)
  console.log('')
  for (const [folder, { killed, all }] of scores) row(folder, killed, all)
  const sum = (/** @type {'killed' | 'all'} */ key) =>
    [...scores.values()].reduce((total, score) => total + score[key], 0)
  if (scores.size > 1) row('together', sum('killed'), sum('all'))
}

/**
 * @param {number} number
 * @param {string} noun
 */
function countOf(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
