import type { SendNow } from './ask-person.ts'
import { type GateOptions, openConversation, type Passage } from './conversation.ts'
import { fromClient } from './from-client.ts'
import { fromServer, serverGone } from './from-server.ts'

/**
 * The gate between one client and one server, whatever carries their messages. It moves no bytes itself: each message
 * that came becomes what goes on, at once where nothing has to be judged.
 */
export interface Gate {
  /** `send` reaches the client before the passage is known: a question to a person cannot wait for it. */
  fromClient(line: Buffer, send: SendNow): Passage | Promise<Passage>
  fromServer(line: Buffer): Passage | Promise<Passage>
  /** The client reads nothing any more: nobody is left to ask. */
  clientGone(): void
  /** The server will answer nothing any more, and why: what the client is told. */
  serverGone(why: string): Promise<Passage>
}

export function createGate(options: GateOptions): Gate {
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
