import type { Failure } from '../../../core/decision.ts'
import type { ProgramOutput } from '../../output.ts'
import { type ProgramStart, runProgram } from '../run.ts'
import { type PythonWorker, startWorker } from './worker.ts'

export interface PythonCall {
  /** How to start it cold. Its environment is complete. */
  readonly cold: ProgramStart
  readonly root: string
  readonly name: string
  /** Those variables of the environment that are different at each call. */
  readonly variables: Readonly<Record<string, string>>
}

export interface PythonPool {
  run(call: PythonCall): Promise<ProgramOutput | Failure>
  /** Ends all workers. Calls that are running are started cold. */
  dispose(): void
}

export interface PoolLimits {
  readonly workersMax: number
  /** How long after a cold start its worker is started: never in a program that ends at once. */
  readonly startMs: number
  readonly idleMs: number
  /** After this time a worker is replaced, so that another Python or newly installed packages are found. */
  readonly lifeMs: number
}

interface Member {
  readonly worker: PythonWorker
  readonly lifeTimer: NodeJS.Timeout
  idleTimer: NodeJS.Timeout | undefined
  calls: number
  isRetired: boolean
}

/** A worker that ended so often by itself is not started again. */
const BREAKS_MAX = 3

/**
 * Python functions, in a process that is forked from a running Python if there is one, otherwise in a new one. Only calls
 * with the same folder and the same environment share a worker.
 */
export function createPythonPool(limits: PoolLimits): PythonPool {
  const members = new Map<string, Member>()
  const breaks = new Map<string, number>()
  const planned = new Map<string, NodeJS.Timeout>()

  const drop = (key: string, member: Member) => {
    if (members.get(key) === member) members.delete(key)
    clearTimeout(member.lifeTimer)
    clearTimeout(member.idleTimer)
    member.isRetired = true
    if (member.calls === 0) member.worker.end()
  }
  const begin = (key: string, call: ProgramStart, env: ProgramStart['env']) => {
    planned.delete(key)
    if (members.size >= limits.workersMax) {
      const [oldest] = members
      if (oldest !== undefined) drop(...oldest)
    }
    const worker = startWorker({ cwd: call.cwd, env }, () => {
      if (member.isRetired) return
      breaks.set(key, (breaks.get(key) ?? 0) + 1)
      drop(key, member)
    })
    const member: Member = {
      worker,
      lifeTimer: setTimeout(() => drop(key, member), limits.lifeMs).unref(),
      idleTimer: undefined,
      calls: 0,
      isRetired: false,
    }
    members.set(key, member)
  }
  const plan = (key: string, { cold }: PythonCall, env: ProgramStart['env']) => {
    if (members.has(key) || planned.has(key) || (breaks.get(key) ?? 0) >= BREAKS_MAX) return
    planned.set(key, setTimeout(() => begin(key, cold, env), limits.startMs).unref())
  }
  const ask = async (key: string, member: Member, call: PythonCall) => {
    clearTimeout(member.idleTimer)
    // The one that was used last is last.
    members.delete(key)
    members.set(key, member)
    member.calls += 1
    const { cwd, stdin, signal } = call.cold
    const asked = { root: call.root, name: call.name, cwd, env: call.variables, stdin }
    const outcome = await member.worker.ask(asked, signal)
    member.calls -= 1
    if (member.calls > 0) return outcome
    if (member.isRetired) member.worker.end()
    else member.idleTimer = setTimeout(() => drop(key, member), limits.idleMs).unref()
    return outcome
  }
  return {
    run: async (call) => {
      const env = Object.fromEntries(
        Object.entries(call.cold.env).filter(([name]) => !Object.hasOwn(call.variables, name)),
      )
      const key = JSON.stringify([call.cold.cwd, env])
      const member = members.get(key)
      const warm = member?.worker.isReady() === true ? await ask(key, member, call) : undefined
      if (warm !== undefined) return warm
      const outcome = await runProgram(call.cold)
      plan(key, call, env)
      return outcome
    },
    dispose: () => {
      for (const timer of planned.values()) clearTimeout(timer)
      planned.clear()
      for (const [key, member] of members) {
        drop(key, member)
        member.worker.end()
      }
    },
  }
}

/** One for all plans of this program. */
export const pythonPool: PythonPool = createPythonPool({
  workersMax: 4,
  startMs: 50,
  idleMs: 60_000,
  lifeMs: 300_000,
})
