import { Socket } from 'node:net'
import type { Event } from '../../../core/event.ts'
import type { FailureKind } from '../../../core/hook.ts'
import type { JsonObject } from '../../../core/json.ts'
import { watchBuiltIns } from './built-ins.ts'
import { type LoadedHook, loadHook, type OwnLibraries } from './load.ts'
import { loadPackPart } from './load-pack.ts'
import { plainJson } from './plain.ts'
import type { LoopProgress } from './progress.ts'
import { type Batch, type BatchedCall, type ModulePart, REQUESTS_FD } from './protocol.ts'
import { addAnswer, addReply, flush, flushIfLate, whileWaiting } from './replies.ts'
import { splitText, thrownAt, thrownWords } from './thrown.ts'

/**
 * A process of modules: loads them, and calls those of one batch side by side. It saves what it needs to answer before
 * foreign code runs, and loops over lists by index, because a module may change built-in objects. This protects
 * against mistakes, not against attacks, so untrusted code does not run.
 */
export function serveModules(progress: LoopProgress, ended: () => void, provided: OwnLibraries): void {
  forbidSignals()
  whileWaiting(progress.beat)
  const tools: Tools = { progress, provided, isChanged: watchBuiltIns() }
  const requests = new Socket({ fd: REQUESTS_FD, readable: true, writable: false })
  let waiting: Buffer[] = []
  let lastByte = 0
  requests.on('data', (chunk: Buffer) => {
    waiting[waiting.length] = chunk
    const { length } = chunk
    const beforeLast = length > 1 ? chunk[length - 2] : lastByte
    lastByte = chunk[length - 1] ?? 0
    if (lastByte !== NEW_LINE || beforeLast !== NEW_LINE) return
    const text = (waiting.length === 1 ? chunk : Buffer.concat(waiting)).toString('utf8')
    waiting = []
    void serve(splitText(text, '\n'), tools)
  })
  requests.on('error', () => {})
  requests.on('close', ended)
  process.once('exit', () => {
    if (current.batch !== 0) addReply(current.batch, `"kind":"ending","call":${current.call}`)
    flush()
  })
}

interface Tools {
  readonly progress: LoopProgress
  readonly provided: OwnLibraries
  isChanged(): boolean
}

const NEW_LINE = 10
const { parse, stringify } = JSON
const [later, every, clear] = [setImmediate, setInterval, clearInterval]

/** `process.kill(process.ppid)` would end Holdpoint. A module ends its own children through their handles. */
function forbidSignals(): void {
  const refuse = (): never => {
    throw new Error('a policy may not send signals')
  }
  for (const name of ['kill', '_kill']) {
    Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false })
  }
}

/** By the numbers of their parts. Several parts may be the same function in another version of other files. */
const parts: ModulePart[] = []
const loaded: LoadedHook[] = []
/** The batch, if there is one, and the call whose code runs now; -1 if that is unknown. */
const current = { batch: 0, call: -1 }
const BEAT_MS = 40

async function serve(lines: readonly string[], { progress, provided, isChanged }: Tools): Promise<void> {
  const batch = parse(lines[0] ?? '') as Batch
  const { id, calls } = batch
  for (let i = 0; i < batch.parts.length; i += 1) parts[parts.length] = batch.parts[i] as ModulePart
  const mark = (phase: 'loading' | 'running' | 'waiting', call: number) => {
    current.batch = id
    current.call = call
    progress.set(phase, id, call)
  }
  const hooks = await loadAll(batch, mark, provided, isChanged)
  if (hooks === undefined) return
  let open = 0
  let beats: ReturnType<typeof setInterval> | undefined
  const leave = () => {
    if (open > 0) return
    clear(beats)
    // Mostly it is seen at once, and needs no message of its own. A loader may still be ending something.
    const isQuiet = !isRestless()
    if (isQuiet) addReply(id, '"kind":"quiet"')
    flush()
    later(() => {
      if (current.batch === id) {
        current.batch = 0
        progress.set('idle', id, -1)
      }
      if (isRestless()) addReply(id, '"kind":"restless"')
      else if (!isQuiet) addReply(id, '"kind":"quiet"')
      flush()
    })
  }
  const settle = async (i: number, promise: unknown) => {
    try {
      tell(id, i, await promise)
    } catch (error) {
      fail(id, i, 'crash', error, partOf(calls[i]))
    }
    open -= 1
    // Others may answer in the same moment.
    if (open > 0) later(flush)
    leave()
  }
  for (let i = 0; i < calls.length; i += 1) {
    const [call, hook] = [calls[i], hooks[i]]
    if (call === undefined || hook === undefined) continue
    mark('running', i)
    try {
      const returned = run(hook, call, lines)
      if (isThenable(returned)) {
        open += 1
        void settle(i, returned)
      } else tell(id, i, returned)
    } catch (error) {
      fail(id, i, 'crash', error, partOf(call))
    }
    flushIfLate()
  }
  mark('waiting', -1)
  flush()
  if (open > 0) beats = every(progress.beat, BEAT_MS).unref()
  leave()
}

/** The functions of a batch; a hole for each that could not be loaded. Undefined: the batch ends here. */
async function loadAll(
  { id, calls, isAlone }: Batch,
  mark: (phase: 'loading', call: number) => void,
  provided: OwnLibraries,
  isChanged: () => boolean,
): Promise<readonly (LoadedHook | undefined)[] | undefined> {
  const hooks: (LoadedHook | undefined)[] = []
  let isNew = false
  for (let i = 0; i < calls.length; i += 1) {
    const [number] = calls[i] as BatchedCall
    hooks[i] = loaded[number]
    if (hooks[i] !== undefined) continue
    isNew = true
    mark('loading', i)
    const part = parts[number] as ModulePart
    try {
      const hook = await (part.pack === undefined
        ? loadHook(part, provided)
        : loadPackPart(part, part.pack, provided))
      loaded[number] = hook
      hooks[i] = hook
    } catch (error) {
      fail(id, i, 'import', error, part)
    }
    if (isAlone || !isChanged()) continue
    addReply(id, `"kind":"changed","call":${i}`)
    flush()
    return undefined
  }
  if (!isNew) return hooks
  addReply(id, '"kind":"loaded"')
  flush()
  return hooks
}

function partOf(call: BatchedCall | undefined): ModulePart | undefined {
  return call === undefined ? undefined : parts[call[0]]
}

/** Each call gets its own copies: what one of them changes, no other sees. */
function run(hook: LoadedHook, call: BatchedCall, lines: readonly string[]): unknown {
  const args = call[4]
  if (args !== undefined) return hook.run(args[0], args[1], args[2])
  const event = parse(lines[call[1] + 1] ?? '') as Event
  if (!hook.concerns(event)) return undefined
  const context = parse(lines[call[2] + 1] ?? '') as Record<string, unknown>
  const own: JsonObject = call[3]
  // Names of ours, so none of them is a name of a prototype.
  for (const name in own) context[name] = own[name]
  return hook.run(event, context)
}

function isThenable(value: unknown): boolean {
  const holds = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return holds && typeof (value as { readonly then?: unknown }).then === 'function'
}

function tell(id: number, call: number, returned: unknown): void {
  let text: string
  try {
    text = returned === undefined ? 'null' : plainJson(returned)
  } catch (error) {
    fail(id, call, 'invalidOutput', error)
    return
  }
  addAnswer(id, call, text)
}

function fail(id: number, call: number, failure: FailureKind, error: unknown, of?: ModulePart): void {
  const message = `${thrownWords(error)}${of === undefined ? '' : thrownAt(error, of.file)}`
  addReply(
    id,
    `"kind":"failure","call":${call},"failure":${stringify(failure)},"message":${stringify(message)}`,
  )
}

const activeResources = process.getActiveResourcesInfo.bind(process)

/**
 * Something that a module left running could use up memory, or break the next call: timers, sockets, programs,
 * threads. Pipes belong to Holdpoint or to standard error; those of a program come with it.
 */
function isRestless(): boolean {
  const active = activeResources()
  for (let i = 0; i < active.length; i += 1) if (active[i] !== 'PipeWrap') return true
  return false
}
