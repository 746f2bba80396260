import type { ServerResponse } from 'node:http'
import {
  conversationIn,
  type ModelRequest,
  type ModelTurn,
  startEvents,
  type ToolUse,
  textIn,
  type Wire,
} from './model.ts'

/** The Messages API, streamed or not. */
export const anthropic: Wire = {
  read(path, body) {
    return path === '/v1/messages' && isRequest(body) ? readRequest(body) : undefined
  },
  write(response, turn, body, id) {
    const blocks = blocksOf(turn, id)
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: isRequest(body) ? body.model : 'scripted',
      stop_reason: turn.uses === undefined ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: USAGE,
    }
    if (isRequest(body) && body.stream === true) return stream(response, message, blocks)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...message, content: blocks }))
  },
  aside: { '/v1/messages/count_tokens': { input_tokens: 100 }, '/': {} },
}

const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

interface Request {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly Message[]
  readonly tools?: readonly { readonly name: string }[]
}

interface Message {
  readonly role: string
  readonly content: unknown
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly input: ToolUse['input']
    }

function isRequest(body: unknown): body is Request {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages)
}

function readRequest({ messages, tools = [] }: Request): ModelRequest {
  const first = messages.find((message) => message.role === 'user')
  const spoken = messages.findLastIndex((message) => message.role === 'assistant')
  return {
    // Requests for titles and summaries quote the conversation but offer no tools.
    conversation: tools.length === 0 ? undefined : conversationIn(textIn(first?.content)),
    step: messages.filter((message) => message.role === 'assistant').length,
    told: textIn(messages.slice(spoken + 1)),
    tools: tools.map((tool) => tool.name),
  }
}

function blocksOf({ text, uses = [] }: ModelTurn, id: number): readonly Block[] {
  return [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...uses.map(({ name, input }, index) => ({
      type: 'tool_use' as const,
      id: `toolu_${id}_${index}`,
      name,
      input,
    })),
  ]
}

function stream(response: ServerResponse, message: object, blocks: readonly Block[]): void {
  const send = startEvents(response)
  send('message_start', { message: { ...message, content: [], stop_reason: null } })
  blocks.forEach((block, index) => {
    const isText = block.type === 'text'
    send('content_block_start', {
      index,
      content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
    })
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  })
  const stop_reason = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn'
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: USAGE })
  send('message_stop', {})
  response.end()
}
