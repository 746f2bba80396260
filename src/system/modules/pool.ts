import type { Failure } from '../../core/decision.ts'
import type { Json } from '../../core/json.ts'
import { type ModuleChild, startChild } from './child.ts'
import type { ModuleRequest } from './host/protocol.ts'

export interface ModuleJob {
  /** The module in its current version, its project and its environment: only equal jobs share a process. */
  readonly key: string
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** False: changes of its files cannot be detected, so its process is used once. */
  readonly reusable: boolean
  readonly request: ModuleRequest
}

export interface Pool {
  /** Never rejects. At its signal the process is killed. */
  run(job: ModuleJob, signal: AbortSignal): Promise<{ readonly answer: Json } | Failure>
  /** Ends every process; running calls fail. */
  dispose(): void
}

interface Member {
  readonly key: string
  readonly child: ModuleChild
  state: 'busy' | 'resting' | 'idle'
  idleTimer?: ReturnType<typeof setTimeout>
}

interface Waiter {
  readonly job: ModuleJob
  start(member: Member): void
  giveUp(): void
}

/**
 * Processes for modules, kept while they are useful. A process only runs one module, because a module may change its
 * environment (prototypes, globals, memory), which must not affect another module.
 */
export function createPool(processesMax: number, idleMs: number): Pool {
  const members = new Set<Member>()
  const waiters = new Set<Waiter>()

  const pump = () => {
    for (const waiter of waiters) {
      const member = take(waiter.job)
      if (member === undefined) continue
      waiters.delete(waiter)
      waiter.start(member)
    }
  }
  const take = (job: ModuleJob): Member | undefined => {
    const own = [...members].filter((member) => member.key === job.key)
    const idle = own.find((member) => member.state === 'idle')
    if (idle !== undefined) {
      clearTimeout(idle.idleTimer)
      idle.state = 'busy'
      return idle
    }
    // It has just answered: waiting for it is faster than starting another process.
    if (own.some((member) => member.state === 'resting')) return undefined
    if (members.size >= processesMax) {
      const oldest = [...members].find((member) => member.state === 'idle')
      if (oldest === undefined) return undefined
      drop(oldest)
    }
    return begin(job)
  }
  const drop = (member: Member) => {
    clearTimeout(member.idleTimer)
    members.delete(member)
    member.child.end()
  }
  const begin = (job: ModuleJob): Member => {
    const onAnswer = () => {
      member.state = 'resting'
    }
    const onQuiet = () => {
      if (!job.reusable) {
        drop(member)
        pump()
        return
      }
      member.state = 'idle'
      // The most recently used one is last.
      members.delete(member)
      members.add(member)
      member.idleTimer = setTimeout(() => drop(member), idleMs)
      member.idleTimer.unref()
      pump()
    }
    const onGone = () => {
      clearTimeout(member.idleTimer)
      if (members.delete(member)) queueMicrotask(pump)
    }
    const { program, cwd, env, key } = job
    const child = startChild({ program, cwd, env, onAnswer, onQuiet, onGone })
    const member: Member = { key, child, state: 'busy' }
    members.add(member)
    return member
  }
  return {
    run: (job, signal) => {
      if (signal.aborted) return Promise.resolve(NO_TURN)
      const member = take(job)
      if (member !== undefined) return member.child.ask(job.request, signal)
      return new Promise((resolve) => {
        const giveUp = () => {
          waiters.delete(waiter)
          resolve(NO_TURN)
        }
        const waiter: Waiter = {
          job,
          giveUp,
          start: (free) => {
            signal.removeEventListener('abort', giveUp)
            void free.child.ask(job.request, signal).then(resolve)
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        waiters.add(waiter)
      })
    },
    dispose: () => {
      for (const waiter of [...waiters]) waiter.giveUp()
      for (const member of [...members]) drop(member)
    },
  }
}

const NO_TURN: Failure = { failure: 'timeout', message: 'no process was free for it in time' }
