import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { isObject, type JsonObject, textAt } from '../json.ts'
import { writeWhole } from '../world/files.ts'
import type { Home } from '../world/home.ts'

/** The daemon's HTTP door, for an agent that can ask without starting a process. */
export interface HttpSettings {
  readonly port: number
  /** Who knows it may ask. It stands in this file and in the agent's own settings, both closed to others. */
  readonly secret: string
  /** A request over HTTP brings no environment: these stand for it. */
  readonly env: Readonly<Record<string, string>>
}

export const LOOPBACK = '127.0.0.1'

/** Undefined when nobody asked for the door, or when what stands there cannot be used. */
export function readHttpSettings(home: Home): HttpSettings | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(home.http, 'utf8'))
    if (!isObject(value)) return undefined
    const [port, secret, env] = [Number(value.port), textAt(value, 'secret'), value.env]
    if (!Number.isInteger(port) || port < 1 || port > 65_535 || secret === undefined) return undefined
    return { port, secret, env: isObject(env) ? textsIn(env) : {} }
  } catch {
    return undefined
  }
}

function textsIn(env: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.keys(env).map((name) => [name, textAt(env, name) ?? '']))
}

/** The same port and secret as before where there were any, so that entries already written stay true. */
export async function chooseHttpSettings(
  home: Home,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HttpSettings> {
  const before = readHttpSettings(home)
  const kept = Object.fromEntries(['HOME', 'PATH'].map((name) => [name, env[name] ?? '']))
  const settings = {
    port: before?.port ?? (await freePort()),
    secret: before?.secret ?? randomBytes(32).toString('hex'),
    env: kept,
  }
  writeWhole(home.http, `${JSON.stringify(settings, null, 2)}\n`, 0o600)
  chmodSync(home.http, 0o600)
  return settings
}

/** Part of the address in entries: nobody can guess it, and it tells nothing of the secret. */
export function addressMark(secret: string): string {
  return createHmac('sha256', secret).update('address').digest('hex').slice(0, 16)
}

/**
 * The variable by which an agent would send what it asks at 127.0.0.1 to a proxy: whoever answers there would judge,
 * and read the secret. Which of two spellings an agent prefers is its own affair, so both must be right.
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, LOOPBACK, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
