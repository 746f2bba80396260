import { readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { configPlaces } from '../config-places.ts'
import { describeProblem, HoldpointError, type Problem } from '../errors.ts'
import { type Unexercised, unexercised } from '../policy-tests/coverage.ts'
import { type ReadCase, readTestFile } from '../policy-tests/read-file.ts'
import { type CaseResult, runCase } from '../policy-tests/run-case.ts'
import { createResponder, type Responder } from '../responder.ts'
import { SOURCE_MAX_BYTES } from '../sources/source.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { homeLayout } from '../world/home.ts'
import { isFresh, stampOf } from '../world/plan-cache.ts'
import { findProject } from '../world/project.ts'
import { programFiles } from '../world/trust.ts'
import { printReport, reportJson } from './policy-tests-report.ts'

export interface PolicyTestOptions {
  readonly file?: readonly string[]
  readonly watch?: boolean
  readonly json?: boolean
  readonly pack?: readonly string[]
  readonly config?: string
  readonly cwd?: string
  readonly home?: string
}

/** All cases of a project, run once. */
export interface TestReport {
  readonly results: readonly CaseResult[]
  readonly silent: readonly Unexercised[]
  readonly problems: readonly Problem[]
}

/** Runs a project's policy test files against the policies that hold there. Exit 1 when a case fails. */
export async function policyTests(options: PolicyTestOptions): Promise<void> {
  const bench = benchFor(options)
  if (bench.files().length === 0) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--tool',
      message: `Name the tool to try, or write cases into ${bench.folder}/*.yaml.`,
    })
  }
  if (options.watch === true) return watch(bench, options)
  show(await runAll(bench), bench, options)
}

interface Bench {
  readonly project: string
  readonly folder: string
  readonly responder: Responder
  files(): readonly string[]
  /** What a change of asks for another run, beside test files and programs. */
  readonly configs: readonly string[]
}

function benchFor(options: PolicyTestOptions): Bench {
  const cwd = resolve(options.cwd ?? process.cwd())
  const project = findProject(cwd)
  const folder = join(project, '.holdpoint', 'tests')
  const home = homeLayout(options.home, process.env)
  const config = options.config === undefined ? {} : { config: resolve(options.config) }
  const named = options.file?.map((file) => resolve(cwd, file))
  return {
    project,
    folder,
    files: () => named ?? testFilesIn(folder),
    configs: [...configPlaces({ home, project, ...config }).map(({ path }) => path), home.trust, folder],
    responder: createResponder({
      home,
      state: createMemoryState(),
      now: () => performance.now(),
      packs: options.pack ?? [],
      ...config,
    }),
  }
}

const FILES_MAX = 1_000

function testFilesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name))
    return names
      .sort()
      .slice(0, FILES_MAX)
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

async function runAll(bench: Bench): Promise<TestReport> {
  const { project } = bench
  const loaded = await bench.responder.plan(project)
  if (!loaded.ok) throw new HoldpointError(loaded.problem)
  const desk = { loaded: loaded.value, project, home: homedir(), env: process.env }
  const results: CaseResult[] = []
  // One after another: cases may start programs, and the report must not depend on which is faster.
  for (const test of bench.files().flatMap(readCases)) results.push(await runCase(test, desk))
  const { plan, broken } = loaded.value
  return { results, silent: unexercised(plan, results), problems: [...broken, ...plan.problems] }
}

function readCases(file: string): readonly ReadCase[] {
  const unreadable = (message: string): readonly ReadCase[] => [
    { file, line: 1, name: 'the file as a whole', problems: [{ code: 'CONFIG_UNREADABLE', message, file }] },
  ]
  try {
    const info = statSync(file)
    if (!info.isFile() || info.size > SOURCE_MAX_BYTES) {
      return unreadable('This is not a regular file of at most 1 MiB.')
    }
    return readTestFile(readFileSync(file, 'utf8'), file)
  } catch (error) {
    return unreadable(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function show(report: TestReport, { project }: Bench, options: PolicyTestOptions): void {
  const near = (path: string) => {
    const short = relative(project, path)
    return short.startsWith('..') ? path : short
  }
  if (options.json === true) process.stdout.write(`${JSON.stringify(reportJson(report))}\n`)
  else printReport(report, near, (line) => process.stdout.write(`${line}\n`))
  // No case at all has shown nothing.
  process.exitCode = report.results.length > 0 && report.results.every(({ ok }) => ok) ? 0 : 1
}

const LOOK_EVERY_MS = 500

/** Again whenever a test, the configuration or a program it names has changed, until Ctrl-C. */
async function watch(bench: Bench, options: PolicyTestOptions): Promise<void> {
  let isOver = false
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true
      resolve()
    }
    process.once('SIGINT', end)
    process.once('SIGTERM', end)
  })
  while (!isOver) {
    // Stamped before the run: what changes while it runs is looked at again.
    const stamps = (await watched(bench)).map(stampOf)
    try {
      show(await runAll(bench), bench, options)
    } catch (error) {
      if (!(error instanceof HoldpointError)) throw error
      process.stderr.write(`holdpoint: ${describeProblem(error.problem)}\n`)
      process.exitCode = 1
    }
    if (options.json !== true) process.stdout.write('watching; Ctrl-C ends it\n\n')
    while (!isOver && isFresh({ stamps })) await Promise.race([ended, later(LOOK_EVERY_MS)])
  }
}

async function watched(bench: Bench): Promise<readonly string[]> {
  const loaded = await bench.responder.plan(bench.project)
  const hooks = loaded.ok ? loaded.value.plan.hooks : []
  const named = hooks.flatMap((hook) => [hook.origin.file, ...(programFiles(hook) ?? [])])
  return [...new Set([...bench.configs, ...bench.files(), ...named])]
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
