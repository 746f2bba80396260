import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { codeOf, said } from '../../system/owned-file.ts'
import { type Signals, sessionFolder } from './find-signals.ts'
import { folderOfAgent, type Workspace } from './place.ts'
import { readFile } from './read-file.ts'
import { oneLine } from './session.ts'

/** An agent as the orchestrator registered it when it was started. Other programs read these field names. */
export interface RegisteredAgent {
  readonly agent_id: string
  readonly output_file: string
  readonly model: string
  readonly role: string
  readonly task_summary: string
  readonly registered_at: string
  readonly status: string
}

const ID = /^(?!\.)[\w.-]{1,128}$/
const AGENTS_MAX = 1_000
const AGENT_MAX_BYTES = 64 * 1024

/** Each id is unique: if two agents register the same id, the second gets an error. */
export function registerAgent(
  session: string,
  agent: RegisteredAgent,
  place: Workspace,
): Result<RegisteredAgent> {
  const folder = sessionFolder(session, place)
  if (!folder.ok) return folder
  if (!ID.test(agent.agent_id)) return badId(agent.agent_id)
  const noted = {
    ...agent,
    output_file: oneLine(agent.output_file),
    task_summary: oneLine(agent.task_summary),
  }
  const file = join(folderOfAgent(folder.value), `${agent.agent_id}.json`)
  const waiting = `${file}.${process.pid}.new`
  try {
    mkdirSync(folderOfAgent(folder.value), { recursive: true })
    writeFileSync(waiting, `${JSON.stringify(noted, null, 2)}\n`)
    linkSync(waiting, file)
    return good(noted)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST')
      return bad('STATE_UNWRITABLE', `The agent cannot be registered: ${said(error)}.`, { file })
    const message = `An agent "${agent.agent_id}" is already registered.`
    return bad('STATE_UNWRITABLE', message, { file, fix: 'Use a different id for each agent.' })
  } finally {
    rmSync(waiting, { force: true })
  }
}

export interface AgentList {
  readonly agents: readonly RegisteredAgent[]
  readonly complaints: readonly string[]
}

/** `ended`: ids of agents that the agent program reported as finished. */
export function listAgents({ session, signals }: Signals, ended: ReadonlySet<string>): AgentList {
  const complaints: string[] = []
  const agents = filesOf(folderOfAgent(session)).flatMap((name) => {
    const agent = readAgent(join(folderOfAgent(session), name), name.replace(/\.json$/, ''))
    if (agent === undefined) complaints.push(`.agents/${name} cannot be read.`)
    return agent === undefined ? [] : [agent]
  })
  const now = agents.map((agent) => {
    const signal = signals.find(({ path, name, agentId }) => {
      return path === agent.output_file || name === agent.agent_id || agentId === agent.agent_id
    })
    if (signal !== undefined)
      return { ...agent, status: signal.status === 'success' ? 'completed' : 'failed' }
    return ended.has(agent.agent_id) && agent.status === 'running' ? { ...agent, status: 'stopped' } : agent
  })
  return { agents: now, complaints }
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .slice(0, AGENTS_MAX)
  } catch {
    return []
  }
}

function readAgent(file: string, id: string): RegisteredAgent | undefined {
  try {
    const value: unknown = JSON.parse(readFile(file, AGENT_MAX_BYTES)?.text ?? '')
    return isObject(value) ? agentFrom(value, id) : undefined
  } catch {
    return undefined
  }
}

function agentFrom(value: JsonObject, id: string): RegisteredAgent {
  const text = (key: string, otherwise: string) => textAt(value, key) ?? otherwise
  return {
    agent_id: text('agent_id', id),
    output_file: text('output_file', ''),
    model: text('model', 'sonnet'),
    role: text('role', ''),
    task_summary: text('task_summary', ''),
    registered_at: text('registered_at', ''),
    status: text('status', 'running'),
  }
}

function badId(id: string): Result<never> {
  return bad('OPTION_INVALID', `"${id}" is not a valid agent name.`, {
    fix: 'Use letters, digits, dots, dashes and underscores.',
  })
}
