import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createResponder } from '../app/responder.ts'
import { openJournal } from '../storage/journal/journal.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { readInstalls } from '../system/installs.ts'
import { listAgents } from '../tools/mux/agents.ts'
import {
  type AuditFinding,
  auditAfter,
  auditBefore,
  auditDuring,
  PHASES,
  type Phase,
  SKILLS,
  worstFirst,
} from '../tools/mux/audit.ts'
import { findSignals } from '../tools/mux/find-signals.ts'
import type { Workspace } from '../tools/mux/place.ts'
import { places } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'
import { callerSession, here, muxAgentsOf, print, sessionDir, unwrapResult } from './mux-place.ts'

interface AuditOptions {
  readonly phase?: Phase
  readonly session?: string
  readonly home?: string
  readonly json?: boolean
}

/** Three checks: would the rules hold, did they hold, and what is left over. */
export async function muxAudit(
  caller: Caller,
  dir: string | undefined,
  options: AuditOptions,
): Promise<void> {
  const place = here(caller)
  const home = homeLayout(options.home, caller.env)
  const phases = options.phase === undefined ? PHASES : [options.phase]
  const findings: AuditFinding[] = []
  if (phases.includes('preflight')) findings.push(...(await before(caller, home, place)))
  if (phases.includes('runtime')) findings.push(...(await during(caller, home, place, options.session)))
  if (phases.includes('post')) findings.push(...after(caller, dir, place, options))
  const sorted = worstFirst(findings)
  const lines = sorted.map(({ severity, phase, what }) => `${severity} ${phase}: ${what}`)
  print(
    caller,
    lines.length === 0 ? ['No problems found.'] : lines,
    { findings: sorted.map((each) => ({ ...each })) },
    options.json,
  )
  if (findings.some(({ severity }) => severity === 'CRITICAL')) caller.exitCode = 1
}

async function before(caller: Caller, home: Home, { project }: Workspace): Promise<readonly AuditFinding[]> {
  const responder = createResponder({ home, state: createMemoryState(), now: () => performance.now() })
  const plan = await responder.plan(project)
  const packIsOn = plan.ok && plan.value.plan.hooks.some(({ id }) => /^mux(?:-legacy)?\//.test(id))
  const where = places(project, caller.env)
  const folders = [`${project}/.claude`, where.env.CLAUDE_CONFIG_DIR ?? `${where.home}/.claude`]
  const hasSkill = (skill: string) =>
    folders.some((folder) => existsSync(join(folder, 'skills', skill, 'SKILL.md')))
  const installs = readInstalls(home.installs)
  const hooksInstalled = installs.some(
    ({ scope, file }) => scope === 'user' || file.startsWith(`${project}/`),
  )
  return auditBefore({ packIsOn, hooksInstalled, skillsFound: SKILLS.filter(hasSkill) })
}

async function during(
  caller: Caller,
  home: Home,
  { project }: Workspace,
  session: string | undefined,
): Promise<readonly AuditFinding[]> {
  const journal = await openJournal(home.journal)
  try {
    journal.importSpool()
    const id = callerSession(caller, session)
    const query = id === undefined ? { project } : { project, session: id }
    return auditDuring([...journal.store.read(query)].map(({ record }) => record))
  } finally {
    journal.store.close()
  }
}

function after(
  caller: Caller,
  dir: string | undefined,
  place: Workspace,
  options: AuditOptions,
): readonly AuditFinding[] {
  const found = unwrapResult(findSignals(sessionDir(caller, dir, place), place))
  const known = muxAgentsOf(caller, callerSession(caller, options.session), options.home)
  const ended = new Set([...known].flatMap(([agent, isEnded]) => (isEnded ? [agent] : [])))
  return auditAfter(found, listAgents(found, ended), place)
}
