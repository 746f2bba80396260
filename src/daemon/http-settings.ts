import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { isObject, type JsonObject, textAt } from '../core/json.ts'
import { writeWhole } from '../system/files.ts'
import type { Home } from '../system/home.ts'
import { readRegularText } from '../system/regular-file.ts'

/** The daemon's HTTP server, for agents that can send events without starting a process. */
export interface HttpSettings {
  readonly port: number
  /**
   * Required in every request. It is in this file and in the agent's own settings; other users can read
   * neither.
   */
  readonly secret: string
  /** Proves at each prompt that the daemon listens. It is in this file only, and is never sent. */
  readonly proofKey: string
  /** A request over HTTP brings no environment, so these variables are used instead. */
  readonly env: Readonly<Record<string, string>>
}

export const LOOPBACK = '127.0.0.1'

/** Undefined if HTTP is not configured, or if the settings cannot be used. */
export function readHttpSettings(home: Home): HttpSettings | undefined {
  try {
    const value = readJson(home)
    const kept = keptIn(value)
    const [proofKey, env] = [textAt(value, 'proofKey'), value.env]
    if (kept === undefined || proofKey === undefined || proofKey === kept.secret) return undefined
    return { ...kept, proofKey, env: isObject(env) ? textsIn(env) : {} }
  } catch {
    return undefined
  }
}

function readJson(home: Home): JsonObject {
  const value: unknown = JSON.parse(readRegularText(home.http, FILE_MAX_BYTES) ?? 'null')
  return isObject(value) ? value : {}
}

const FILE_MAX_BYTES = 1024 * 1024

/** What existing hooks depend on. A file of 0.1.0 has these two and no separate key for the proof. */
function keptIn(value: JsonObject): Pick<HttpSettings, 'port' | 'secret'> | undefined {
  const [port, secret] = [Number(value.port), textAt(value, 'secret')]
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535
  return isPort && secret !== undefined ? { port, secret } : undefined
}

function keptBefore(home: Home): (Pick<HttpSettings, 'port' | 'secret'> & { proofKey?: string }) | undefined {
  try {
    return readHttpSettings(home) ?? keptIn(readJson(home))
  } catch {
    return undefined
  }
}

function textsIn(env: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.keys(env).map((name) => [name, textAt(env, name) ?? '']))
}

/** Reuses an existing port and secret, so that hooks that are already written keep working. */
export async function chooseHttpSettings(
  home: Home,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HttpSettings> {
  const before = keptBefore(home)
  const kept = Object.fromEntries(['HOME', 'PATH'].map((name) => [name, env[name] ?? '']))
  const settings = {
    port: before?.port ?? (await freePort()),
    secret: before?.secret ?? randomBytes(32).toString('hex'),
    proofKey: before?.proofKey ?? randomBytes(32).toString('hex'),
    env: kept,
  }
  writeWhole(home.http, `${JSON.stringify(settings, null, 2)}\n`, 0o600)
  chmodSync(home.http, 0o600)
  return settings
}

/** Part of the address in hooks: it cannot be guessed, and reveals nothing about the secret. */
export function addressMark(secret: string): string {
  return createHmac('sha256', secret).update('address').digest('hex').slice(0, 16)
}

/**
 * The environment variable that would make an agent send requests for 127.0.0.1 to a proxy, which could then
 * decide and read the secret. Agents differ in which of two spellings they prefer, so both must be right.
 */
export function proxyIn(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const proxy = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
    .flatMap((name) => [name, name.toLowerCase()])
    .find((name) => (env[name] ?? '') !== '')
  const exceptions = [env.NO_PROXY, env.no_proxy].filter((list) => list !== undefined)
  const isDirect = (list: string) => list.split(/[\s,]+/).some((name) => name === LOOPBACK || name === '*')
  return exceptions.length > 0 && exceptions.every(isDirect) ? undefined : proxy
}

export function removeHttpSettings(home: Home): void {
  rmSync(home.http, { force: true })
}

/**
 * Hooks keep the address, also while the daemon is not running: so the port is below those that systems give to outgoing
 * connections, one of which would take it.
 */
const PORTS = { first: 20_000, end: 32_768 } as const

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(PORTS.first, PORTS.end)
    if (await isFree(port)) return port
  }
  throw new Error(`of 200 ports between ${PORTS.first} and ${PORTS.end} none was free`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)))
  })
}
