import { EFFECTS } from '../../core/decision.ts'
import { HoldpointError } from '../../core/errors.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import type { Hello, RecordFilter, ReportRequest, TryRequest } from './api.ts'
import type { BoardApprovals } from './approvals.ts'
import type { Reader } from './reader.ts'

/** What the answers are made from. */
export interface ApiContext {
  readonly reader: Reader
  /** Another thread: a report or a comparison must not keep the lists waiting. */
  readonly slowReader: Pick<Reader, 'report' | 'diff' | 'agents'>
  readonly approvals: BoardApprovals
  hello(): Promise<Hello>
}

export interface Answered {
  readonly status: number
  readonly value: unknown
}

type Route = (query: URLSearchParams, body: JsonObject, context: ApiContext) => Promise<unknown>

const PAGE_MAX = 500

const READS: Readonly<Record<string, Route>> = {
  '/api/hello': (_query, _body, { hello }) => hello(),
  '/api/records': (query, _body, { reader }) =>
    reader.records({ filter: filterFrom(query), limit: limitFrom(query, 200), ...beforeFrom(query) }),
  '/api/sessions': (query, _body, { reader }) =>
    reader.sessions({ limit: limitFrom(query, 50), ...beforeFrom(query) }),
  '/api/session': (query, _body, { reader }) => reader.session(query.get('id') ?? ''),
  '/api/why': (query, _body, { reader }) => reader.why(query.get('id') ?? ''),
  '/api/policy': (query, _body, { reader }) => reader.policy(query.get('project') ?? ''),
  '/api/agents': (query, _body, { slowReader }) => slowReader.agents(query.get('project') ?? ''),
  '/api/report': (query, _body, { slowReader }) => slowReader.report(reportFrom(query)),
}

const WRITES: Readonly<Record<string, Route>> = {
  '/api/try': (_query, body, { reader }) => reader.tryCall(tryFrom(body)),
  '/api/diff': (_query, body, { slowReader }) =>
    slowReader.diff({ project: textAt(body, 'project') ?? '', draft: textAt(body, 'draft') ?? '' }),
  '/api/unlock': (_query, body, { approvals }) => approvals.unlock(textAt(body, 'pin') ?? ''),
  '/api/answer': (_query, body, { approvals }) => approvals.answer(body),
}

export async function answerApi(url: URL, body: unknown, context: ApiContext): Promise<Answered> {
  const routes = body === undefined ? READS : WRITES
  const route = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined
  if (route === undefined) return { status: 404, value: { message: 'There is no such page.' } }
  if (body !== undefined && !isObject(body))
    return { status: 400, value: { message: 'The body must be an object.' } }
  try {
    const value = await route(url.searchParams, body ?? {}, context)
    if (value === undefined) return { status: 404, value: { message: 'The journal has no such record.' } }
    return { status: 200, value }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isExpected = error instanceof HoldpointError && error.problem.code !== 'INTERNAL'
    return { status: isExpected ? 400 : 500, value: { message } }
  }
}

function filterFrom(query: URLSearchParams): RecordFilter {
  const effects = EFFECTS.filter((effect) => query.getAll('effect').includes(effect))
  const texts = (['host', 'project', 'tool', 'session', 'text'] as const).flatMap((name) => {
    const value = query.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  return { ...(effects.length === 0 ? {} : { effects }), ...Object.fromEntries(texts) }
}

function limitFrom(query: URLSearchParams, otherwise: number): number {
  const limit = Number(query.get('limit') ?? otherwise)
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, PAGE_MAX) : otherwise
}

function beforeFrom(query: URLSearchParams): { readonly before?: number } {
  const before = Number(query.get('before') ?? Number.NaN)
  return Number.isInteger(before) && before > 0 ? { before } : {}
}

function reportFrom(query: URLSearchParams): ReportRequest {
  const project = query.get('project')
  return {
    period: query.get('period') ?? 'week',
    ...(project === null || project === '' ? {} : { project }),
    compare: query.get('compare') === '1',
  }
}

function tryFrom(body: JsonObject): TryRequest {
  const optional = (['host', 'agentType', 'skill', 'draft'] as const).flatMap((name) => {
    const text = textAt(body, name)
    return text === undefined || text === '' ? [] : [[name, text] as const]
  })
  return {
    project: textAt(body, 'project') ?? '',
    tool: textAt(body, 'tool') ?? 'Bash',
    input: isObject(body.input) ? body.input : {},
    ...Object.fromEntries(optional),
  }
}
