import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { HoldpointError } from '../core/errors.ts'
import { guardRunOf } from '../core/guard-run.ts'
import type { JsonObject } from '../core/json.ts'
import type { Plan } from '../core/plan/plan.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import { createCallDecider } from '../tools/history/decide-call.ts'
import { findTranscripts, type TranscriptSession } from '../tools/history/find-transcripts.ts'
import { createProjectPlans } from '../tools/history/project-plans.ts'
import { nothingUnread } from '../tools/history/read-transcript.ts'
import { findReader, transcriptReaders } from '../tools/history/readers.ts'
import { CHANGES, type ReplayTally } from '../tools/replay/diff.ts'
import { eventsOfSession } from '../tools/replay/from-transcripts.ts'
import { policyAlone } from '../tools/replay/policy-alone.ts'
import { createReplay } from '../tools/replay/replay.ts'
import { addFragment, completeFragment } from '../tools/suggest/add-fragment.ts'
import { emptyHistory, type History } from '../tools/suggest/evidence.ts'
import { gatherSession } from '../tools/suggest/gather.ts'
import { LEAST, type Proposal, proposalsFor } from '../tools/suggest/proposals.ts'
import type { Caller } from './caller.ts'
import { sinceTime } from './log.ts'
import { requirePerson } from './person.ts'
import { openProgress } from './progress.ts'
import { fitted, plural, screenWidth } from './screen.ts'
import { visible } from './visible.ts'

interface SuggestOptions {
  readonly since: string
  readonly project?: string
  readonly accept?: readonly string[]
  readonly json?: boolean
  readonly home?: string
}

interface Suggestion extends Proposal {
  /** What the fragment would have changed in the same history. */
  readonly effect?: Pick<ReplayTally, 'events' | 'uncertain' | 'changes'>
}

const CONFIG = join('.holdpoint', 'config.yaml')
const TESTS = join('.holdpoint', 'tests', 'suggested.yaml')
const PROPOSALS_MAX = 10

/** Proposals from history, each with its evidence. Writes only what a person accepts. */
export async function suggestRules(caller: Caller, options: SuggestOptions): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  if (options.accept !== undefined) await requirePerson(caller, home, 'suggest --accept')
  const project = findProject(resolve(caller.cwd, options.project ?? '.'))
  const since = options.since === 'all' ? undefined : sinceTime(options.since, new Date())
  const plans = createProjectPlans(home)
  const { plan, history, sessions } = await readHistory(caller, project, since, home, plans)
  const file = join(project, CONFIG)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const found = proposalsFor(history, plan).slice(0, PROPOSALS_MAX)
  const suggestions: Suggestion[] = []
  for (const proposal of found) {
    if (proposal.config === undefined) suggestions.push(proposal)
    else {
      const config = completeFragment(text, proposal.config)
      const effect = await effectOf(text, config, sessions, project, home)
      suggestions.push({ ...proposal, config, ...(effect === undefined ? {} : { effect }) })
    }
  }
  const silentGuards = silentIn(plan, history)
  const { events, sessions: count } = history
  const report = { format: 1, least: LEAST, events, sessions: count, suggestions, silentGuards }
  if (options.json === true) caller.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else print(caller, suggestions, history, silentGuards.length)
  for (const id of options.accept ?? []) accept(caller, id, suggestions, project)
}

/** Guards that are on and had nothing to say. That is as it should be, and worth knowing. */
function silentIn(plan: Plan, { spoke }: History): readonly string[] {
  const ids = plan.hooks.filter(({ run }) => guardRunOf(run) !== undefined).map(({ id }) => id)
  return [...new Set(ids)].filter((id) => !spoke.has(id))
}

async function readHistory(
  caller: Caller,
  project: string,
  since: string | undefined,
  home: Home,
  plans: ReturnType<typeof createProjectPlans>,
) {
  const pure = await plans.planOf(project)
  const decider = createCallDecider({ plan: pure, home: home.user, now: () => performance.now() })
  const found = findTranscripts(await transcriptReaders(), {
    places: { home: home.user, project, env: caller.env },
    ...(since === undefined ? {} : { sinceMs: Date.parse(since) }),
  })
  const history = emptyHistory()
  const own: TranscriptSession[] = []
  const progress = openProgress(caller, found.sessions.length, (amount) => `${Math.round(amount)} sessions`)
  for (const [index, session] of found.sessions.entries()) {
    progress.at(index)
    const member = await findReader(session.host)
    if (member === undefined) continue
    const [first] = eventsOfSession(session, member, project, nothingUnread())
    if (first === undefined || plans.projectOf(first.event.cwd) !== project) continue
    own.push(session)
    await gatherSession(session, member, decider, project, since, history)
  }
  progress.end()
  return { plan: pure.plan, history, sessions: own }
}

/** The fragment is tried on the same history before it is shown. Undefined: the file as it is cannot be read alone. */
async function effectOf(
  text: string | undefined,
  config: JsonObject,
  sessions: readonly TranscriptSession[],
  project: string,
  home: Home,
): Promise<Suggestion['effect']> {
  const changed = addFragment(text, config)
  const before = await policyAlone(text, home.user)
  const after = changed.ok ? await policyAlone(changed.value, home.user) : undefined
  if (!before.ok || after?.ok !== true) return undefined
  const run = await createReplay({
    plan: after.value.plan,
    against: before.value.plan,
    home: home.user,
    now: () => performance.now(),
  })
  for (const session of sessions) {
    const member = await findReader(session.host)
    if (member === undefined) continue
    for (const event of eventsOfSession(session, member, project, nothingUnread())) await run.take(event)
  }
  const { events, uncertain, changes } = run.tally
  return { events, uncertain, changes }
}

function print(caller: Caller, suggestions: readonly Suggestion[], history: History, silent: number): void {
  const say = (line: string) => caller.stdout.write(`${fitted(line, screenWidth(caller.stdout))}\n`)
  say(`${plural(history.events, 'call')} in ${plural(history.sessions, 'session')} of this project.`)
  say(
    caller.colours.dim(
      `A proposal needs at least ${LEAST.times} calls in ${LEAST.sessions} sessions. Guards that deny are never weakened.`,
    ),
  )
  if (history.events > 0)
    say(
      caller.colours.dim(
        `${plural(silent, 'guard')} that ${silent === 1 ? 'is' : 'are'} on stopped none of them.`,
      ),
    )
  if (suggestions.length === 0) say('There is nothing to suggest.')
  for (const { id, why, config, test, effect } of suggestions) {
    say('')
    say(`${caller.colours.bold(visible(id))}  ${visible(why)}`)
    if (config !== undefined) block(caller, `${CONFIG}:`, stringify(config), say)
    if (test !== undefined) block(caller, 'test:', stringify([test]), say)
    if (effect !== undefined) {
      const words = CHANGES.map((change) => `${effect.changes[change]} ${change}`).join(', ')
      say(
        caller.colours.dim(`    replayed on ${effect.events} calls, ${effect.uncertain} uncertain: ${words}`),
      )
    }
    if (config !== undefined) say(caller.colours.dim(`    holdpoint suggest --accept ${visible(id)}`))
  }
}

function block(caller: Caller, title: string, text: string, say: (line: string) => void): void {
  say(caller.colours.dim(`    ${title}`))
  for (const line of text.trimEnd().split('\n')) say(`      ${visible(line)}`)
}

function accept(caller: Caller, id: string, suggestions: readonly Suggestion[], project: string): void {
  const found = suggestions.find((each) => each.id === id && each.config !== undefined)
  if (found?.config === undefined) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--accept',
      message: `There is no proposal "${visible(id, 100)}" with something to add.`,
      fix: 'Run `holdpoint suggest` and use one of the ids it shows.',
    })
  }
  addTo(join(project, CONFIG), found.config)
  if (found.test !== undefined) addTo(join(project, TESTS), { cases: [found.test] })
  caller.stdout.write(
    `Added ${id} to ${CONFIG}, and its test to ${TESTS}. Run \`holdpoint trust\` and \`holdpoint test\`.\n`,
  )
}

function addTo(file: string, fragment: JsonObject): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const changed = addFragment(text, fragment)
  if (!changed.ok) throw new HoldpointError({ ...changed.problem, file })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, changed.value)
}
