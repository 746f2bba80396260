import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { stringify } from 'yaml'
import type { Origin } from '../core/hook.ts'
import type { JsonObject } from '../core/json.ts'
import { openJournal } from '../storage/journal/journal.ts'
import { type CoverageReport, measureCoverage } from '../tools/policy-tests/measure-coverage.ts'
import { type MutationReport, mutatePolicy } from '../tools/policy-tests/mutate.ts'
import type { Caller } from './caller.ts'
import type { Bench, PolicyTestOptions, TestReport } from './policy-tests.ts'
import { openProgress } from './progress.ts'
import { visible } from './visible.ts'

/** What the tests of a project show about its policy, beyond whether they pass. */
export interface Learned {
  /** For `--json`, beside the results. */
  readonly json: JsonObject
  /** A change that no test notices is a hole in the tests. */
  readonly hasHole: boolean
  /** For a person; nothing with `--json`. */
  print(): void
}

export async function learnFromTests(
  caller: Caller,
  report: TestReport,
  bench: Bench,
  options: PolicyTestOptions,
): Promise<Learned> {
  const { cases, results, context } = report
  const coverage =
    options.coverage === true
      ? await measureCoverage(cases, results, context, await decidedInJournal(bench))
      : undefined
  const mutation = options.mutate === true ? await mutated(caller, report) : undefined
  const found = { ...(coverage && { coverage }), ...(mutation && { mutation }) }
  const place = ({ file, line }: Origin) => {
    const short = relative(bench.project, file)
    return visible(`${short.startsWith('..') ? file : short}${line === undefined ? '' : `:${line}`}`)
  }
  return {
    json: JSON.parse(JSON.stringify(found)) as JsonObject,
    hasHole: mutation !== undefined && mutation.survived.length > 0,
    print() {
      if (options.json === true) return
      const print = (line: string) => caller.stdout.write(`${line}\n`)
      if (coverage !== undefined) printCoverage(caller, coverage, place, print)
      if (mutation !== undefined) printMutation(caller, mutation, place, print)
    },
  }
}

async function mutated(caller: Caller, { cases, context }: TestReport): Promise<MutationReport> {
  let progress: ReturnType<typeof openProgress> | undefined
  const report = await mutatePolicy(cases, context, (done, total) => {
    progress ??= openProgress(caller, total, (amount) => `${Math.round(amount)} mutants`)
    progress.at(done)
  })
  progress?.end()
  return report
}

/** How many recorded events each hook decided. A journal that is not there has recorded nothing. */
async function decidedInJournal({ home, project }: Bench): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  if (!existsSync(home.journal)) return counts
  const { store, importSpool } = await openJournal(home.journal)
  try {
    importSpool()
    for (const { record } of store.read({ project })) {
      for (const hook of record.because) counts.set(hook, (counts.get(hook) ?? 0) + 1)
    }
    return counts
  } finally {
    store.close()
  }
}

type Place = (origin: Origin) => string
type Print = (line: string) => void

function printCoverage(
  caller: Caller,
  { rules, contracts, hooks, guards, percent }: CoverageReport,
  place: Place,
  print: Print,
): void {
  print('')
  print(
    caller.colours.bold(`Coverage: ${percent} % of this project's rules, conditions, contracts and hooks`),
  )
  for (const each of [...rules, ...contracts, ...hooks]) {
    const mark = each.cases + each.history > 0 ? caller.colours.green('✓') : caller.colours.red('✗')
    const counts = `${each.cases} cases, ${each.history} recorded events`
    print(`  ${mark} ${visible(each.id)} ${caller.colours.dim(`${counts} · ${place(each.origin)}`)}`)
    if (!('conditions' in each)) continue
    for (const { text, held, failed } of each.conditions as CoverageReport['rules'][number]['conditions']) {
      if (held > 0 && failed > 0) continue
      const missing = held === 0 ? 'never true' : 'never false'
      print(
        `      ${caller.colours.yellow(missing)} ${visible(text)} ${caller.colours.dim(`in the cases that reach it: ${held + failed}`)}`,
      )
    }
  }
  print(
    caller.colours.dim(
      `  built-in guards: ${guards.spoke.length} of ${guards.on} spoke in some case; they have tests of their own`,
    ),
  )
}

const SURVIVORS_SHOWN = 20

function printMutation(
  caller: Caller,
  { mutants, killed, survived, unused }: MutationReport,
  place: Place,
  print: Print,
): void {
  print('')
  print(caller.colours.bold(`Mutation: the tests noticed ${killed} of ${mutants} changes to the policy`))
  if (unused > 0)
    print(
      caller.colours.dim(
        `  ${unused} cases were not used: they fail, or depend on a hook that runs a program`,
      ),
    )
  for (const { id, origin, change, caught } of survived.slice(0, SURVIVORS_SHOWN)) {
    print(
      `  ${caller.colours.red('not noticed')} ${visible(id)}: ${visible(change)} ${caller.colours.dim(place(origin))}`,
    )
    if (caught === undefined)
      print(
        caller.colours.dim(
          '      no call was found that shows the difference; the condition may have no effect',
        ),
      )
    else {
      print(caller.colours.dim('      this case would notice:'))
      const text = stringify([{ ...caught, name: `${id}: ${change}` }]).trimEnd()
      for (const line of text.split('\n')) print(`        ${visible(line)}`)
    }
  }
  const more = survived.length - SURVIVORS_SHOWN
  if (more > 0) print(caller.colours.dim(`  and ${more} more; --json has them all`))
}
