import type { Failure } from '../../core/decision.ts'
import type { OnStop } from '../../core/handler.ts'
import type { Json } from '../../core/json.ts'
import { type Stamp, sameStamp } from '../file-stamp.ts'
import { createApart } from './apart.ts'
import { type ChildCall, type ChildEnd, type ModuleChild, startChild, TOO_LATE } from './child.ts'
import type { ModuleRequest } from './host/protocol.ts'

export interface ModuleJob {
  /** Code of the same people, its project and its environment: only jobs of one group share a process. */
  readonly group: string
  /** The function, in the current version of its files. */
  readonly unit: string
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Its files. A process that has loaded another version of one of them is not used. */
  readonly stamps: readonly Stamp[]
  /** False: changes of its files cannot be detected, so its process is used once. */
  readonly reusable: boolean
  readonly request: ModuleRequest
}

export interface Pool {
  /** Never rejects. `onStop` takes what stops the function, with its process. */
  run(job: ModuleJob, onStop: OnStop): Promise<{ readonly answer: Json } | Failure>
  /** Ends every process; running calls fail. */
  dispose(): void
}

interface Call extends ChildCall {
  readonly job: ModuleJob
  /** Where it is now: it waits, or it has a process. */
  member: Member | undefined
  hasStarted: boolean
}

interface Batch {
  readonly lane: string
  readonly isAlone: boolean
  readonly calls: readonly Call[]
}

interface Member {
  readonly lane: string
  readonly child: ModuleChild
  /** The files that it has loaded, as they were then. */
  readonly stamps: Map<string, Stamp>
  readonly checked: WeakSet<readonly Stamp[]>
  state: 'busy' | 'resting' | 'idle'
  batch: Batch
  before?: Batch
  /** False: a function of this batch let no other run. */
  isGood: boolean
  /** A function could not be loaded, or it is not known when its files change: this batch is the last one. */
  isLast: boolean
  idleTimer?: ReturnType<typeof setTimeout>
}

/**
 * Processes for modules, kept while they are useful. The calls that one event makes to a group go to one process, as
 * one batch. If a function ends that process, holds it or changes what the others see, the others run again in another
 * one, as long as they have time.
 */
export function createPool(processesMax: number, idleMs: number): Pool {
  const members = new Set<Member>()
  const waiters = new Set<Batch>()
  const apart = createApart()
  const open = new Set<Call>()
  let gathered: Call[] = []

  const gather = (call: Call) => {
    if (gathered.push(call) === 1) queueMicrotask(send)
  }
  /** All calls that were made in the same moment. */
  const send = () => {
    const calls = gathered
    gathered = []
    for (const batch of batchesOf(calls)) waiters.add(batch)
    pump()
  }
  const batchesOf = (calls: readonly Call[]): readonly Batch[] => {
    const shared = new Map<string, Call[]>()
    const batches: Batch[] = []
    for (const call of calls) {
      if (!open.has(call)) continue
      const { group, unit, reusable } = call.job
      const { lane, isAlone } = apart.laneOf(group, unit)
      if (isAlone || !reusable) {
        batches.push({ lane: isAlone ? lane : `${lane}\n${unit}`, isAlone: true, calls: [call] })
        continue
      }
      const there = shared.get(lane)
      if (there === undefined) {
        const first = [call]
        shared.set(lane, first)
        batches.push({ lane, isAlone, calls: first })
      } else there.push(call)
    }
    return batches
  }
  const pump = () => {
    for (const batch of waiters) {
      const calls = batch.calls.filter((call) => open.has(call))
      const member = calls.length === 0 ? undefined : take({ ...batch, calls })
      if (calls.length > 0 && member === undefined) continue
      waiters.delete(batch)
      if (member === undefined) continue
      for (const call of calls) {
        call.member = member
        call.hasStarted = true
      }
      member.child.ask(calls, batch.isAlone)
    }
  }
  const take = (batch: Batch): Member | undefined => {
    const own = [...members].filter(({ lane }) => lane === batch.lane)
    const isCurrent = (member: Member) => batch.calls.every(({ job }) => hasLoaded(member, job.stamps))
    for (const member of own) if (member.state === 'idle' && !isCurrent(member)) drop(member)
    const idle = own.find((member) => members.has(member) && member.state === 'idle')
    if (idle !== undefined) {
      clearTimeout(idle.idleTimer)
      idle.state = 'busy'
      idle.before = idle.batch
      idle.batch = batch
      idle.isGood = true
      return idle
    }
    // It has just answered: waiting for it is faster than starting another process.
    if (own.some(({ state, isLast }) => state === 'resting' && !isLast)) return undefined
    if (members.size >= processesMax) {
      const oldest = [...members].find((member) => member.state === 'idle')
      if (oldest === undefined) return undefined
      drop(oldest)
    }
    const member = begin(batch)
    isCurrent(member)
    return member
  }
  const drop = (member: Member) => {
    clearTimeout(member.idleTimer)
    members.delete(member)
    member.child.end()
  }
  const begin = (batch: Batch): Member => {
    const onAnswered = () => {
      member.state = 'resting'
    }
    const onQuiet = () => {
      if (member.isGood && !member.isLast) apart.clear(member.batch.calls.map(({ unit }) => unit))
      if (member.isLast) drop(member)
      else {
        member.state = 'idle'
        // The most recently used one is last.
        members.delete(member)
        members.add(member)
        member.idleTimer = setTimeout(() => drop(member), idleMs)
        member.idleTimer.unref()
      }
      pump()
    }
    const onHeld = (call: ChildCall | undefined) => hold(member, call)
    const onGone = (end: ChildEnd) => {
      clearTimeout(member.idleTimer)
      members.delete(member)
      settle(member, end)
      queueMicrotask(pump)
    }
    const [{ job }] = batch.calls as [Call]
    const { program, cwd, env } = job
    const child = startChild({ program, cwd, env, onAnswered, onQuiet, onHeld, onGone })
    const member: Member = {
      lane: batch.lane,
      child,
      batch,
      state: 'busy',
      stamps: new Map(),
      checked: new WeakSet(),
      isGood: true,
      isLast: !job.reusable,
    }
    members.add(member)
    return member
  }
  /** The others of its batch go to another process. It may still answer, if it has the time. */
  const hold = (member: Member, held: ChildCall | undefined) => {
    const left = member.batch.calls.filter((call) => open.has(call) && call.member === member)
    const culprit = held ?? (left.length === 1 ? left[0] : undefined)
    member.isGood = false
    if (culprit !== undefined) apart.blame(culprit.unit)
    else apart.suspect(left.map(({ unit }) => unit))
    const others = left.filter((call) => call !== culprit)
    member.child.forget(others)
    again(others)
    if (culprit === undefined) drop(member)
  }
  const again = (calls: readonly Call[]) => {
    for (const call of calls) {
      call.member = undefined
      gather(call)
    }
  }
  /** What becomes of the calls of a process that is gone. */
  const settle = (member: Member, { open: without, failure, culprit, why }: ChildEnd) => {
    const left = without.filter((call): call is Call => open.has(call as Call))
    const units = member.batch.calls.map(({ unit }) => unit)
    if (why === 'restless') {
      apart.suspect(units)
      return
    }
    if (why === 'stale') {
      apart.suspect(member.before?.calls.map(({ unit }) => unit) ?? [])
      again(left)
      return
    }
    const fallen = culprit ?? (left.length === 1 ? left[0] : undefined)
    if (why === 'unstartable') {
      for (const call of left) call.answer(failure)
      return
    }
    if (why === 'changed' && culprit !== undefined) {
      apart.blame(culprit.unit)
      again(left)
      return
    }
    if (fallen === undefined) {
      if (left.length > 0) apart.suspect(left.map(({ unit }) => unit))
      again(left)
      return
    }
    // If most of them were late, the machine was.
    if (failure.failure !== 'timeout' || left.length < units.length) apart.blame(fallen.unit)
    fallen.answer(failure)
    again(left.filter((call) => call !== fallen))
  }

  return {
    run: (job, onStop) =>
      new Promise((resolve) => {
        const call: Call = {
          job,
          unit: job.unit,
          request: job.request,
          member: undefined,
          hasStarted: false,
          answer: (outcome) => {
            if (!open.delete(call)) return
            const isUnloadable = 'failure' in outcome && outcome.failure === 'import'
            if (isUnloadable && call.member !== undefined) {
              call.member.isLast = true
              apart.blame(job.unit)
            }
            resolve(outcome)
          },
        }
        open.add(call)
        onStop(() => {
          if (!open.has(call)) return
          if (call.member === undefined) call.answer(call.hasStarted ? TOO_LATE : NO_TURN)
          else call.member.child.stop(call)
        })
        if (open.has(call)) gather(call)
      }),
    dispose: () => {
      for (const call of [...open]) call.answer(call.member === undefined ? NO_TURN : ENDED)
      waiters.clear()
      for (const member of [...members]) drop(member)
    },
  }
}

/** Whether the process has no other version of these files. */
function hasLoaded({ stamps, checked }: Member, files: readonly Stamp[]): boolean {
  if (checked.has(files)) return true
  for (const file of files) {
    const there = stamps.get(file.path)
    if (there !== undefined && !sameStamp(there, file)) return false
  }
  for (const file of files) stamps.set(file.path, file)
  checked.add(files)
  return true
}

const NO_TURN: Failure = { failure: 'timeout', message: 'no process was free for it in time' }
const ENDED: Failure = { failure: 'crash', message: 'it was ended' }
