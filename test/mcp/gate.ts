import type { Passage, ToolPolicy } from '../../src/adapters/mcp/conversation.ts'
import { createMcpGate } from '../../src/adapters/mcp/gate.ts'
import type { Answer } from '../../src/core/decision.ts'
import { combine } from '../../src/core/engine/combine.ts'
import { fitToHost } from '../../src/core/engine/fit-to-host.ts'
import type { Event } from '../../src/core/event.ts'
import { isObject, type Json, type JsonObject } from '../../src/core/json.ts'

/** A gate whose hooks have fixed answers: what it passes on, and what was checked. */

export type Answers = Readonly<Partial<Record<string, Partial<Answer>>>>

const EVERY_TOOL: ToolPolicy = {
  refusal: () => undefined,
  seen: (tools) => tools,
  promise: () => 'nothing',
  warnings: () => [],
}

export function openGate(
  answers: Answers = {},
  more: { tools?: Partial<ToolPolicy>; replays?: boolean } = {},
) {
  const judged: Event[] = []
  const said: string[] = []
  const refused: string[] = []
  const now: JsonObject[] = []
  const ids: string[] = []
  const gate = createMcpGate({
    server: 'files',
    who: { session: 's', cwd: '/srv/project' },
    async decide(event, can) {
      judged.push(event)
      const answer = answers[event.kind]
      return fitToHost(
        combine(answer === undefined ? [] : [{ hook: 'h', hookIndex: 0, effect: 'pass', ...answer }]),
        can,
      )
    },
    refused: (event, why) => refused.push(`${event.kind}: ${why}`),
    tools: { ...EVERY_TOOL, ...more.tools },
    say: (text) => said.push(text),
    newId: () => `id${ids.push('')}`,
    now: () => 0,
    replays: more.replays ?? false,
  })
  const send = (bytes: Buffer) => void now.push(JSON.parse(bytes.toString()))
  const client = async (message: Json | string) => shown(await gate.fromClient(bytesOf(message), send))
  const server = async (message: Json | string) => shown(await gate.fromServer(bytesOf(message)))
  return { gate, judged, said, refused, now, client, server }
}

export function bytesOf(message: Json | string): Buffer {
  return Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))
}

export function shown({ toServer, toClient }: Passage) {
  const texts = (list: readonly Buffer[]) => list.map((bytes) => bytes.toString())
  return { toServer: texts(toServer), toClient: texts(toClient) }
}

export const call = (
  id: Json,
  name: Json = 'write',
  input: Json = { path: 'a' },
  more: JsonObject = {},
): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input, ...more },
})
export const result = (id: Json, words = 'done', more: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: words }], ...more },
})
export const textOf = (text: string | undefined) => {
  const { result: found } = JSON.parse(text ?? 'null') as JsonObject
  const content = isObject(found) && Array.isArray(found.content) ? found.content : []
  return content.map((block) => (isObject(block) ? String(block.text) : '')).join('|')
}
export const errorOf = (text: string | undefined) => {
  const { error } = JSON.parse(text ?? 'null') as JsonObject
  return isObject(error) ? String(error.message) : ''
}
export const ready = (capabilities: JsonObject) => ({
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { capabilities },
})
