import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Event } from '../../../core/event.ts'
import { type LoadedHook, loadHook, type OwnLibraries } from './load.ts'
import { loadPackPart } from './load-pack.ts'
import { plainJson } from './plain.ts'
import { type ModuleReply, type ModuleRequest, REPLIES_FD, REQUESTS_FD } from './protocol.ts'

/**
 * The process of a module: loads it and calls it, one call at a time. It saves what it needs to answer before
 * foreign code runs, and loops over lists by index, because a module may change built-in objects. This protects
 * against mistakes, not against attacks, so untrusted code does not run.
 */
export function serveModules(ended: () => void, provided: OwnLibraries): void {
  forbidSignals()
  const requests = new Socket({ fd: REQUESTS_FD, readable: true, writable: false })
  let waiting: Buffer[] = []
  requests.on('data', (chunk: Buffer) => {
    waiting[waiting.length] = chunk
    if (chunk[chunk.length - 1] !== NEW_LINE) return
    const line = Buffer.concat(waiting).toString('utf8')
    waiting = []
    void answer(parse(line) as ModuleRequest, provided)
  })
  requests.on('error', () => {})
  requests.on('close', ended)
}

const NEW_LINE = 10
const { parse, stringify } = JSON
const later = setImmediate

/** `process.kill(process.ppid)` would end Holdpoint. A module ends its own children through their handles. */
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

async function answer(request: ModuleRequest, provided: OwnLibraries): Promise<void> {
  const { id } = request
  let hook: LoadedHook
  try {
    hook = await find(request, provided)
  } catch (error) {
    reply({
      id,
      kind: 'failure',
      failure: 'import',
      message: `${describe(error)}${placeOf(error, request.file)}`,
    })
    return
  }
  reply({ id, kind: 'loaded' })
  let returned: unknown
  try {
    const event = request.event as unknown as Event
    const { args } = request
    if (args !== undefined) returned = await hook.run(args[0], args[1], args[2])
    else returned = hook.concerns(event) ? await hook.run(event, request.context) : undefined
  } catch (error) {
    reply({
      id,
      kind: 'failure',
      failure: 'crash',
      message: `${describe(error)}${placeOf(error, request.file)}`,
    })
    rest(id)
    return
  }
  tell(id, returned)
  rest(id)
}

async function find(request: ModuleRequest, provided: OwnLibraries): Promise<LoadedHook> {
  const { pack } = request
  const part = pack?.kind === 'check' ? pack.guard : (pack?.kind ?? '')
  const name = `${request.export ?? ''}\n${part}`
  const known = loaded[name]
  if (known !== undefined) return known
  const hook = await (pack === undefined
    ? loadHook(request, provided)
    : loadPackPart(request, pack, provided))
  loaded[name] = hook
  return hook
}

function tell(id: string, returned: unknown): void {
  let text: string
  try {
    text = returned === undefined ? 'null' : plainJson(returned)
  } catch (error) {
    reply({ id, kind: 'failure', failure: 'invalidOutput', message: describe(error) })
    return
  }
  write(`{"id":${stringify(id)},"kind":"answer","answer":${text}}\n`)
}

/** Something that the module left running could use up memory, or break the next call. */
function rest(id: string): void {
  later(() => reply({ id, kind: isRestless() ? 'restless' : 'quiet' }))
}

const activeResources = process.getActiveResourcesInfo.bind(process)

/**
 * Timers, sockets, programs, threads. Pipes belong to Holdpoint or to standard error; those of a program come
 * with it.
 */
function isRestless(): boolean {
  const active = activeResources()
  for (let i = 0; i < active.length; i += 1) if (active[i] !== 'PipeWrap') return true
  return false
}

/** Written by hand: a `toJSON` on the prototype of all objects would change the reply. */
function reply(message: ModuleReply): void {
  const failure = message.kind === 'failure' ? message : undefined
  const more =
    failure === undefined
      ? ''
      : `,"failure":${stringify(failure.failure)},"message":${stringify(failure.message)}`
  write(`{"id":${stringify(message.id)},"kind":${stringify(message.kind)}${more}}\n`)
}

function write(text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(REPLIES_FD, bytes, written)
    } catch (error) {
      // The reader is slow; without a reader the third pipe ends the process.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

const MESSAGE_MAX_CHARACTERS = 1_000

/** The line of the author's own code where the error was thrown, ` (at file:line:column)`; otherwise only the file. */
function placeOf(error: unknown, file: string): string {
  const inFile = ` (in ${file})`
  try {
    const stack: unknown = typeof error === 'object' && error !== null ? (error as Error).stack : undefined
    if (typeof stack !== 'string') return inFile
    const lines = split(slice(stack, 0, STACK_MAX_CHARACTERS), '\n')
    for (let i = 0; i < lines.length; i += 1) {
      const found = exec(FRAME, lines[i] ?? '')
      const path = found?.[1] ?? ''
      if (path !== '' && exec(NOT_THEIRS, path) === null) return ` (at ${path}:${found?.[2]}:${found?.[3]})`
    }
    return inFile
  } catch {
    return inFile
  }
}

const STACK_MAX_CHARACTERS = 20_000
const FRAME = /^\s+at (?:.*\()?(?:file:\/\/)?(\/[^()]*):(\d+):(\d+)\)?$/
/** Packages and Holdpoint itself. */
const NOT_THEIRS = /\/node_modules\/|\/module-host\.cjs$|\/src\/system\/modules\/|\/src\/core\//
const exec = RegExp.prototype.exec.call.bind(RegExp.prototype.exec) as (
  pattern: RegExp,
  text: string,
) => RegExpExecArray | null
const split = String.prototype.split.call.bind(String.prototype.split) as (
  text: string,
  by: string,
) => readonly string[]
const slice = String.prototype.slice.call.bind(String.prototype.slice) as (
  text: string,
  from: number,
  to: number,
) => string

/** The thrown value may have any type, and may throw again when it is read. */
function describe(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : String(error)
    return `${text}`.slice(0, MESSAGE_MAX_CHARACTERS) || 'it threw an empty text'
  } catch {
    return 'it threw something that cannot be read'
  }
}
