import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal } from '../journal.ts'
import { listAgents } from '../mux/agents.ts'
import {
  auditAfter,
  auditBefore,
  auditDuring,
  type Finding,
  PHASES,
  type Phase,
  SKILLS,
  worstFirst,
} from '../mux/audit.ts'
import { findSignals } from '../mux/find-signals.ts'
import type { Place } from '../mux/place.ts'
import { createResponder } from '../responder.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { readInstalls } from '../world/installs.ts'
import { places } from './agents.ts'
import { agentsOf, callerSession, here, must, print, sessionDir } from './mux-place.ts'

interface AuditOptions {
  readonly phase?: Phase
  readonly session?: string
  readonly home?: string
  readonly json?: boolean
}

/** Three looks: would it hold, did it hold, and what is left of it. */
export async function audit(dir: string | undefined, options: AuditOptions): Promise<void> {
  const place = here()
  const home = homeLayout(options.home, process.env)
  const phases = options.phase === undefined ? PHASES : [options.phase]
  const findings: Finding[] = []
  if (phases.includes('preflight')) findings.push(...(await before(home, place)))
  if (phases.includes('runtime')) findings.push(...(await during(home, place, options.session)))
  if (phases.includes('post')) findings.push(...after(dir, place, options))
  const sorted = worstFirst(findings)
  const lines = sorted.map(({ severity, phase, what }) => `${severity} ${phase}: ${what}`)
  print(
    lines.length === 0 ? ['Nothing was found.'] : lines,
    { findings: sorted.map((each) => ({ ...each })) },
    options.json,
  )
  if (findings.some(({ severity }) => severity === 'CRITICAL')) process.exitCode = 1
}

async function before(home: Home, { project }: Place): Promise<readonly Finding[]> {
  const responder = createResponder({ home, state: createMemoryState(), now: () => performance.now() })
  const plan = await responder.plan(project)
  const packIsOn = plan.ok && plan.value.plan.hooks.some(({ id }) => /^mux(?:-legacy)?\//.test(id))
  const where = places(project)
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
  home: Home,
  { project }: Place,
  session: string | undefined,
): Promise<readonly Finding[]> {
  const journal = await openJournal(home)
  try {
    journal.takeIn()
    const id = callerSession(session)
    const query = id === undefined ? { project } : { project, session: id }
    return auditDuring([...journal.store.read(query)].map(({ record }) => record))
  } finally {
    journal.store.close()
  }
}

function after(dir: string | undefined, place: Place, options: AuditOptions): readonly Finding[] {
  const found = must(findSignals(sessionDir(dir, place), place))
  const known = agentsOf(callerSession(options.session), options.home)
  const ended = new Set([...known].flatMap(([agent, isEnded]) => (isEnded ? [agent] : [])))
  return auditAfter(found, listAgents(found, ended), place)
}
