import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { buildCheckPlan } from '../app/check-plan.ts'
import type { LoadedPlan } from '../app/load-plan.ts'
import { describeProblem, HoldpointError } from '../core/errors.ts'
import { programFile } from '../system/package.ts'
import { findProject } from '../system/project.ts'
import type { FactsChoice } from '../tools/check/answer-row.ts'
import { optimizeLater } from '../tools/check/compilation.ts'
import { judgeRows } from '../tools/check/judge-rows.ts'
import { createRowJudge } from '../tools/check/row-judge.ts'
import { startCheckThread } from '../tools/check/thread.ts'
import { planFor } from '../tools/explain/call.ts'
import type { Caller } from './caller.ts'
import { hasErrors } from './problem-line.ts'
import { visibleJson } from './visible.ts'

interface CheckOptions {
  readonly pack?: readonly string[]
  readonly level?: string
  readonly facts: FactsChoice
  /** Use the policies of this folder instead of packs alone. */
  readonly project?: boolean
  readonly config?: string
  readonly home?: string
}

/**
 * Reads rows and prints one result for each, in the same order. A row that cannot be evaluated is never a
 * pass.
 */
export async function check(caller: Caller, options: CheckOptions): Promise<void> {
  const loaded = await planOf(caller, options)
  const { pack: packs, level, facts } = options
  const place = { facts, cwd: caller.cwd, home: caller.userHome }
  const threadFile = programFile('checker')
  // Hooks of a configuration may start programs: one process for each is enough.
  const isShared = !hasConfiguration(options) && existsSync(threadFile)
  const threads = isShared ? Math.min(availableParallelism() - 1, THREADS_MAX) : 0
  const { wrongRows } = await judgeRows(
    caller.stdin.setEncoding('utf8'),
    createRowJudge(loaded, place),
    () => Array.from({ length: threads }, () => startCheckThread(threadFile, { packs, level, place })),
    (lines) => print(caller, lines),
    threads === 0 ? undefined : optimizeLater(),
  )
  if (wrongRows > 0) {
    caller.stderr.write(`holdpoint: ${wrongRows} rows could not be read; their result is deny.\n`)
    caller.exitCode = 65
  }
}

const THREADS_MAX = 7

function hasConfiguration({ project = false, config }: CheckOptions): boolean {
  return project || config !== undefined
}

function print(caller: Caller, lines: string): Promise<void> | undefined {
  if (caller.stdout.write(visibleJson(lines))) return undefined
  return new Promise((resolve) => caller.stdout.once('drain', resolve))
}

/** Packs alone, the same everywhere; or the policies of this folder, or of one file, as hooks would use them. */
async function planOf(caller: Caller, options: CheckOptions): Promise<LoadedPlan> {
  const { level } = options
  if (!hasConfiguration(options)) return buildCheckPlan(options.pack, level)
  if (level !== undefined) {
    const message =
      'The level comes from the configuration, so --level cannot be used with --project or --config.'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: '--level', message })
  }
  const loaded = await planFor(caller, findProject(caller.cwd), options)
  const problems = [...loaded.broken, ...loaded.plan.problems]
  for (const problem of problems) caller.stderr.write(`holdpoint: ${describeProblem(problem)}\n`)
  if (hasErrors(problems)) caller.exitCode = 78
  return loaded
}
