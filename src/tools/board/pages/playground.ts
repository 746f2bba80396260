import { stringify } from 'yaml'
import { HoldpointError } from '../../../core/errors.ts'
import type { Event } from '../../../core/event.ts'
import type { JsonObject } from '../../../core/json.ts'
import { findHost } from '../../../hosts/find-host.ts'
import type { Store } from '../../../storage/journal/store.ts'
import type { Home } from '../../../system/home.ts'
import { liveFacts } from '../../../system/live-facts.ts'
import { mockEvent } from '../../explain/call.ts'
import { eventOfRecord } from '../../replay/from-journal.ts'
import { createReplay } from '../../replay/replay.ts'
import { buildReplayReport } from '../../replay/report.ts'
import type { DiffAnswer, DiffRequest, TriedVerdict, TryAnswer, TryRequest } from '../api.ts'
import { type ReadyPlans, verdictOf } from './decided-again.ts'
import { planWithDraft } from './draft-plan.ts'
import { treeOf } from './why.ts'

interface TryContext {
  readonly home: Home
  readonly plans: ReadyPlans
}

/** Decides a call that nobody made, with the policy of a project and with a draft of another. */
export async function tryCallInProject(request: TryRequest, { home, plans }: TryContext): Promise<TryAnswer> {
  const event = await eventOf(request)
  const { project, skill, host, draft = '' } = request
  const facts = liveFacts({ cwd: project, home: home.user, project, env: {} })
  const asked = { facts, skills: skill === undefined ? [] : [skill], fitToHost: host !== undefined }
  const now = await verdictOf(await plans.ofProject(project), event, asked)
  const drafted = draft.trim() === '' ? undefined : await planWithDraft(home, project, draft)
  const tree = treeOf(event, home.user)
  return {
    now,
    ...(drafted?.plan === undefined
      ? {}
      : { draft: await verdictOf(await plans.of(drafted.plan), event, asked) }),
    draftProblems: drafted?.problems ?? [],
    ...(tree === undefined ? {} : { tree }),
    test: testOf(request, now),
  }
}

async function eventOf({ tool, input, agentType, host, project }: TryRequest): Promise<Event> {
  const call = { tool, args: JSON.stringify(input), event: 'PreToolUse' }
  const event = await mockEvent({ ...call, ...(agentType === undefined ? {} : { agentType }) }, project)
  if (host === undefined) return event
  const found = await findHost(host)
  if (!found.ok) throw new HoldpointError(found.problem)
  return { ...event, host: found.value.id }
}

/** The call and its decision in the format of `.holdpoint/tests`. */
function testOf({ tool, input, agentType, skill }: TryRequest, { effect, hooks }: TriedVerdict): string {
  const by = hooks.find(({ said }) => said === effect)?.id
  const isCommand = tool === 'Bash' && typeof input.command === 'string' && Object.keys(input).length === 1
  const actor: JsonObject = {
    ...(agentType === undefined ? {} : { agentType }),
    ...(skill === undefined ? {} : { skill }),
  }
  const named = isCommand ? String(input.command).split('\n', 1)[0] : tool
  const example = {
    name: `${named} ${EXPECTED[effect]}`,
    ...(isCommand ? { command: input.command } : { tool, input }),
    ...(Object.keys(actor).length === 0 ? {} : { actor }),
    expect: effect,
    ...(by === undefined || effect === 'pass' ? {} : { by }),
  }
  return stringify({ version: 1, cases: [example] })
}

const EXPECTED = { pass: 'is fine', allow: 'is allowed', ask: 'asks', deny: 'is denied' } as const

/** What a person waits for. */
const DIFF_MAX_MS = 4_000
const DIFF_RECORDS_MAX = 2_000

/** Which recent decisions of a project would be different with a draft. Decides in memory, without starting anything. */
export async function diffWithDraft(
  { project, draft }: DiffRequest,
  { home, plans, store, now }: TryContext & { readonly store: Store; now(): number },
): Promise<DiffAnswer> {
  const drafted = await planWithDraft(home, project, draft)
  if (drafted.plan === undefined) return { problems: drafted.problems }
  const [plan, against] = [await plans.of(drafted.plan), await plans.ofProject(project)]
  const replay = await createReplay({ plan, against, home: home.user, now })
  const endsMs = now() + DIFF_MAX_MS
  let since: string | undefined
  let until: string | undefined
  for (const stored of store.read({ project, limit: DIFF_RECORDS_MAX })) {
    if (now() > endsMs) {
      until = stored.record.at
      break
    }
    const event = eventOfRecord(stored)
    since ??= stored.record.at
    if (event === undefined) replay.skip(stored.seq)
    else await replay.take(event)
  }
  const about = {
    policy: 'Your draft',
    against: 'the policy in force',
    leftOut: plan.leftOut.map(({ id }) => id),
  }
  return {
    problems: drafted.problems,
    report: buildReplayReport(replay.tally, about),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
}
