import { createServer, type Server, type Socket } from 'node:net'

/** Messages between the supervisor and its daemon. The first one carries the handle of the port. */
export const PORT_MESSAGES = { listener: 'holdpoint-listener', ready: 'holdpoint-ready' } as const

/** Carries a connection. The daemon sends the same number back before it reads from the connection. */
export type ConnectionMessage = { readonly connection: number }
export type TakenMessage = { readonly taken: number }

export function numberIn(message: unknown, key: 'connection' | 'taken'): number | undefined {
  if (typeof message !== 'object' || message === null || !(key in message)) return undefined
  const number = (message as Readonly<Record<string, unknown>>)[key]
  return typeof number === 'number' ? number : undefined
}

/** Accepts connections and reads nothing from them. The process that receives a connection reads it. */
export function pausedServer(take: (connection: Socket) => void): Server {
  return createServer({ pauseOnConnect: true }, take)
}
