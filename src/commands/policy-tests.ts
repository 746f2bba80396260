import { readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { createResponder, type Responder } from '../app/responder.ts'
import { compile } from '../config/compile.ts'
import { configPlaces } from '../config/places.ts'
import { SOURCE_MAX_BYTES } from '../config/sources/source.ts'
import { describeProblem, HoldpointError, type Problem } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { programFiles } from '../handlers/program-files.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { stampOf } from '../system/file-stamp.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { isPlanFresh } from '../system/plan-cache.ts'
import { findProject } from '../system/project.ts'
import { isPlainFile, readRegularText } from '../system/regular-file.ts'
import { type Unexercised, unexercised } from '../tools/policy-tests/coverage.ts'
import { type ReadCase, readTestFile } from '../tools/policy-tests/read-file.ts'
import { type CaseContext, type CaseResult, runCase } from '../tools/policy-tests/run-case.ts'
import { type Caller, signalled } from './caller.ts'
import { printReport, reportJson } from './policy-tests-report.ts'
import { hasErrors } from './problem-line.ts'

export interface PolicyTestOptions {
  readonly file?: readonly string[]
  readonly watch?: boolean
  readonly coverage?: boolean
  readonly mutate?: boolean
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
  /** What was run, on what. */
  readonly cases: readonly ReadCase[]
  readonly context: CaseContext
}

/** Runs a project's policy test files against its policies. Exit code 1 if a case fails. */
export async function policyTests(caller: Caller, options: PolicyTestOptions): Promise<void> {
  const bench = await benchFor(caller, options)
  if (bench.files().length === 0) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: `There are no tests in ${bench.folder}.`,
      fix: 'Write cases into a file such as .holdpoint/tests/git.yaml (`holdpoint docs test-your-policies`), or pass --tool to try one call.',
    })
  }
  if (options.watch === true) return watch(caller, bench, options)
  const report = await runAll(caller, bench)
  if (options.coverage !== true && options.mutate !== true) return show(caller, report, bench, options)
  const { learnFromTests } = await import('./policy-tests-learn.ts')
  const learned = await learnFromTests(caller, report, bench, options)
  show(caller, report, bench, options, learned.json)
  learned.print()
  if (learned.hasHole) caller.exitCode = 1
}

export interface Bench {
  readonly project: string
  readonly home: Home
  readonly folder: string
  readonly responder: Responder
  files(): readonly string[]
  /** The files that start another run when they change, in addition to test files and programs. */
  readonly configs: readonly string[]
}

async function benchFor(caller: Caller, options: PolicyTestOptions): Promise<Bench> {
  const cwd = resolve(caller.cwd, options.cwd ?? '.')
  const project = findProject(cwd)
  const folder = join(project, '.holdpoint', 'tests')
  const home = homeLayout(options.home, caller.env)
  const config = options.config === undefined ? {} : { config: resolve(caller.cwd, options.config) }
  const named = options.file?.map((file) => resolve(cwd, file))
  // A configuration that others extend has its tests beside it.
  const { extended } = await compile({ home, project, packs: [], lastGood: {}, ...config })
  const folders = [folder, ...extended.map((file) => join(dirname(file), 'tests'))]
  return {
    project,
    home,
    folder,
    files: () => named ?? folders.flatMap(testFilesIn),
    configs: [
      ...configPlaces({ home, project, ...config }).map(({ path }) => path),
      ...extended,
      home.trust,
      ...folders,
    ],
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

async function runAll(caller: Caller, bench: Bench): Promise<TestReport> {
  const { project } = bench
  const loaded = await bench.responder.plan(project)
  if (!loaded.ok) throw new HoldpointError(loaded.problem)
  const context = { loaded: loaded.value, project, home: caller.userHome, env: caller.env }
  const results: CaseResult[] = []
  // One after another: cases may start programs, and the order of the report must not depend on their speed.
  const cases = bench.files().flatMap(readCases)
  for (const test of cases) results.push(await runCase(test, context))
  const { plan, broken } = loaded.value
  return {
    results,
    silent: unexercised(plan, results),
    problems: [...broken, ...plan.problems],
    cases,
    context,
  }
}

function readCases(file: string): readonly ReadCase[] {
  const unreadable = (message: string): readonly ReadCase[] => [
    { file, line: 1, name: 'the file as a whole', problems: [{ code: 'CONFIG_UNREADABLE', message, file }] },
  ]
  // What a link leads to may be a secret, and an agent may be who asks.
  if (!isPlainFile(file)) return unreadable('This is a link, or no file, so it was not read.')
  const text = readRegularText(file, SOURCE_MAX_BYTES)
  return text === undefined
    ? unreadable('This is not a regular file of at most 1 MiB that can be read.')
    : readTestFile(text, file)
}

function show(
  caller: Caller,
  report: TestReport,
  { project }: Bench,
  options: PolicyTestOptions,
  more: JsonObject = {},
): void {
  const near = (path: string) => {
    const short = relative(project, path)
    return short.startsWith('..') ? path : short
  }
  if (options.json === true) caller.stdout.write(`${JSON.stringify({ ...reportJson(report), ...more })}\n`)
  else printReport(caller.colours, report, near, (line) => caller.stdout.write(`${line}\n`))
  // No cases at all proves nothing, so it is a failure. So is a configuration that cannot be read in full.
  const isGood = report.results.length > 0 && report.results.every(({ ok }) => ok)
  caller.exitCode = isGood && !hasErrors(report.problems) ? 0 : 1
}

const LOOK_EVERY_MS = 500

/** Runs again after each change of a test, the configuration or a program it names, until Ctrl-C. */
async function watch(caller: Caller, bench: Bench, options: PolicyTestOptions): Promise<void> {
  let isOver = false
  const ended = signalled(caller, ['SIGINT', 'SIGTERM']).then(() => {
    isOver = true
  })
  while (!isOver) {
    // The time is taken before the run, so that changes during the run start another one.
    const stamps = (await watched(caller, bench)).map(stampOf)
    try {
      show(caller, await runAll(caller, bench), bench, options)
    } catch (error) {
      if (!(error instanceof HoldpointError)) throw error
      caller.stderr.write(`holdpoint: ${describeProblem(error.problem)}\n`)
      caller.exitCode = 1
    }
    if (options.json !== true) caller.stdout.write('watching for changes; press Ctrl-C to stop\n\n')
    while (!isOver && isPlanFresh({ stamps })) await Promise.race([ended, later(LOOK_EVERY_MS)])
  }
}

async function watched(caller: Caller, bench: Bench): Promise<readonly string[]> {
  const loaded = await bench.responder.plan(bench.project)
  const hooks = loaded.ok ? loaded.value.plan.hooks : []
  const named = hooks.flatMap((hook) => [hook.origin.file, ...(programFiles(hook, caller.userHome) ?? [])])
  return [...new Set([...bench.configs, ...bench.files(), ...named])]
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
