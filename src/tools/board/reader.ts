import { isAbsolute } from 'node:path'
import { HoldpointError } from '../../core/errors.ts'
import type { InstallPlaces } from '../../core/host.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { controlDaemon } from '../../daemon/client.ts'
import { type Journal, openJournal } from '../../storage/journal/journal.ts'
import { createFileState } from '../../storage/state/file-state.ts'
import type { Home } from '../../system/home.ts'
import { knownAgents, places } from '../status/agents.ts'
import { collectStatus } from '../status/status-facts.ts'
import type {
  AgentsPage,
  DiffAnswer,
  DiffRequest,
  Orchestration,
  PolicyPage,
  RecordFilter,
  RecordPage,
  ReportPage,
  ReportRequest,
  SessionDetail,
  SessionPage,
  TryAnswer,
  TryRequest,
  WhyDetail,
} from './api.ts'
import { createReadyPlans } from './pages/decided-again.ts'
import { describeOrchestrations } from './pages/orchestration.ts'
import { diffWithDraft, tryCallInProject } from './pages/playground.ts'
import { describePolicy } from './pages/policy.ts'
import { findRecords } from './pages/records.ts'
import { describeReport } from './pages/reports.ts'
import { describeSession } from './pages/session.ts'
import { listSessions } from './pages/sessions.ts'
import { explainRecord } from './pages/why.ts'

/** Everything the pages ask for. It reads the journal and the configuration, and changes neither. */
export interface Reader {
  records(query: {
    readonly filter: RecordFilter
    readonly limit: number
    readonly before?: number
  }): Promise<RecordPage>
  sessions(query: { readonly limit: number; readonly before?: number }): Promise<SessionPage>
  session(id: string): Promise<SessionDetail | undefined>
  why(id: string): Promise<WhyDetail | undefined>
  policy(project: string): Promise<PolicyPage>
  agents(project: string): Promise<AgentsPage>
  tryCall(request: TryRequest): Promise<TryAnswer>
  diff(request: DiffRequest): Promise<DiffAnswer>
  report(request: ReportRequest): Promise<ReportPage>
  /** The orchestrations that run in a project. */
  orchestrations(project: string): Promise<readonly Orchestration[]>
  /** Projects of the sessions that were active last. */
  projects(): Promise<readonly string[]>
}

const DAEMON_MAX_MS = 1_000
const PROJECTS_FROM = 100

export function createReader(home: Home, env: InstallPlaces['env']): Reader {
  const plans = createReadyPlans(home)
  let journal: Journal | undefined
  /** What hooks left in the spool is part of every answer. A journal that failed is opened again next time. */
  const store = async () => {
    try {
      journal ??= await openJournal(home.journal)
      journal.importSpool()
      return journal.store
    } catch (error) {
      journal?.store.close()
      journal = undefined
      throw error
    }
  }
  const now = () => performance.now()
  return {
    records: async (query) => findRecords(await store(), query, now),
    sessions: async (query) => listSessions(await store(), query),
    async session(id) {
      const state = createFileState(home.state).read(id)
      return describeSession(await store(), id, state.ok ? state.value : undefined)
    },
    why: async (id) => explainRecord(id, { store: await store(), plans, home: home.user, now }),
    policy: (project) => describePolicy(home, checked(project), Date.now()),
    async agents(project) {
      const status = await collectStatus(
        home,
        places(checked(project), env),
        await knownAgents(env),
        Date.now(),
      )
      const daemon = await daemonStatus(home)
      return { ...status, ...(daemon === undefined ? {} : { daemon }) }
    },
    tryCall: (request) =>
      tryCallInProject({ ...request, project: checked(request.project) }, { home, plans }),
    diff: async (request) => diffWithDraft(request, { home, plans, store: await store(), now }),
    report: async (request) => describeReport(await store(), request, new Date()),
    orchestrations: (project) =>
      describeOrchestrations(checked(project), {
        plans,
        state: createFileState(home.state),
        home: home.user,
      }),
    async projects() {
      const rows = (await store()).sessions({ limit: PROJECTS_FROM })
      const projects = rows.map(({ last }) => last.record.project).filter((project) => project !== '')
      return [...new Set(projects)].sort()
    },
  }
}

function checked(project: string): string {
  if (isAbsolute(project) && !project.includes('\0')) return project
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: 'project',
    message: 'The project must be an absolute path.',
  })
}

async function daemonStatus(home: Home): Promise<JsonObject | undefined> {
  const reply = await controlDaemon(home.run, '#status', DAEMON_MAX_MS)
  try {
    const said: unknown = reply === undefined ? undefined : JSON.parse(reply.stdout)
    return isObject(said) ? said : undefined
  } catch {
    return undefined
  }
}
