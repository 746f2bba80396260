import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Event } from '../event.ts'
import { type LoadedHook, loadHook } from './load.ts'
import { plainJson } from './plain.ts'
import { type ModuleReply, type ModuleRequest, REPLIES_FD, REQUESTS_FD } from './protocol.ts'

/**
 * The process a module runs in: loads it, asks it, one call at a time. What it needs to answer is taken before any
 * foreign code runs, and lists are walked by index: a module may change what all arrays and objects can do. It protects Holdpoint from mistakes; code that attacks is stopped by not being trusted.
 */
export function serve(ended: () => void): void {
  forbidSignals()
  const requests = new Socket({ fd: REQUESTS_FD, readable: true, writable: false })
  let waiting: Buffer[] = []
  requests.on('data', (chunk: Buffer) => {
    waiting[waiting.length] = chunk
    if (chunk[chunk.length - 1] !== NEW_LINE) return
    const line = Buffer.concat(waiting).toString('utf8')
    waiting = []
    void answer(parse(line) as ModuleRequest)
  })
  requests.on('error', () => {})
  requests.on('close', ended)
}

const NEW_LINE = 10
const { parse, stringify } = JSON
const later = setImmediate

/** `process.kill(process.ppid)` would end Holdpoint. Children of a module's own are ended through their handles. */
function forbidSignals(): void {
  const refuse = (): never => {
    throw new Error('a policy may not send signals')
  }
  for (const name of ['kill', '_kill']) {
    Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false })
  }
}

/** By the name of their export. */
const loaded: Record<string, LoadedHook> = Object.create(null)

async function answer(request: ModuleRequest): Promise<void> {
  const { id } = request
  let hook: LoadedHook
  try {
    hook = await find(request)
  } catch (error) {
    reply({ id, is: 'failure', failure: 'import', message: describe(error) })
    return
  }
  reply({ id, is: 'loaded' })
  let returned: unknown
  try {
    const event = request.event as unknown as Event
    const { args } = request
    if (args !== undefined) returned = await hook.run(args[0], args[1], args[2])
    else returned = hook.concerns(event) ? await hook.run(event, request.context) : undefined
  } catch (error) {
    reply({ id, is: 'failure', failure: 'crash', message: describe(error) })
    rest(id)
    return
  }
  tell(id, returned)
  rest(id)
}

async function find(request: ModuleRequest): Promise<LoadedHook> {
  const name = request.export ?? ''
  const known = loaded[name]
  if (known !== undefined) return known
  const hook = await loadHook(request)
  loaded[name] = hook
  return hook
}

function tell(id: string, returned: unknown): void {
  let text: string
  try {
    text = returned === undefined ? 'null' : plainJson(returned)
  } catch (error) {
    reply({ id, is: 'failure', failure: 'invalidOutput', message: describe(error) })
    return
  }
  write(`{"id":${stringify(id)},"is":"answer","answer":${text}}\n`)
}

/** What the module left running could grow unseen, or break the next call. */
function rest(id: string): void {
  later(() => reply({ id, is: isRestless() ? 'restless' : 'quiet' }))
}

const activeResources = process.getActiveResourcesInfo.bind(process)

/** Timers, sockets, programs, threads. Pipes are our own and standard error; those of a program come with it. */
function isRestless(): boolean {
  const active = activeResources()
  for (let i = 0; i < active.length; i += 1) if (active[i] !== 'PipeWrap') return true
  return false
}

/** Spelled by hand: a `toJSON` on the prototype of all objects would speak for us. */
function reply(message: ModuleReply): void {
  const failure = message.is === 'failure' ? message : undefined
  const more =
    failure === undefined
      ? ''
      : `,"failure":${stringify(failure.failure)},"message":${stringify(failure.message)}`
  write(`{"id":${stringify(message.id)},"is":${stringify(message.is)}${more}}\n`)
}

function write(text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(REPLIES_FD, bytes, written)
    } catch (error) {
      // The reader is slow; without a reader the process ends by the third pipe.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

const MESSAGE_MAX_CHARACTERS = 1_000

/** What was thrown may be anything, also something that throws when it is read. */
function describe(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : String(error)
    return `${text}`.slice(0, MESSAGE_MAX_CHARACTERS) || 'it threw an empty text'
  } catch {
    return 'it threw something that cannot be read'
  }
}
