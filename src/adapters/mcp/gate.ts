import type { SendNow } from './ask-person.ts'
import { type GateOptions, openConversation, type Passage } from './conversation.ts'
import { fromClient } from './from-client.ts'
import { fromServer, serverGone } from './from-server.ts'

/**
 * The gate between one client and one server, for any transport. It moves no bytes itself: each message is
 * turned into what is sent on, synchronously if nothing has to be checked.
 */
export interface McpGate {
  /** `send` reaches the client before the result is known: a question to the user cannot wait for it. */
  fromClient(line: Buffer, send: SendNow): Passage | Promise<Passage>
  fromServer(line: Buffer): Passage | Promise<Passage>
  /** The client does not read any more, so the user cannot be asked. */
  clientGone(): void
  /** The server will not answer any more, and why: the client gets this text. */
  serverGone(why: string): Promise<Passage>
}

export function createMcpGate(options: GateOptions): McpGate {
  const talk = openConversation(options)
  return {
    fromClient: (line, send) => fromClient(talk, line, send),
    fromServer: (line) => fromServer(talk, line),
    clientGone: () => {
      for (const waiting of talk.waiting.values()) waiting.stopAsking?.()
    },
    serverGone: (why) => serverGone(talk, why),
  }
}
