import { conversationIn, type ModelRequest, type ModelTurn, textIn, type Wire } from './model.ts'

/** The Chat Completions API, streamed or not. Most agents use it for a custom model. */
export const chat: Wire = {
  read(path, body) {
    return path.endsWith('/chat/completions') && isRequest(body) ? readRequest(body) : undefined
  },
  write(response, turn, body, id) {
    const base = { id: `chatcmpl-${id}`, created: 1, model: isRequest(body) ? body.model : '' }
    const calls = callsOf(turn, id)
    const end = calls.length === 0 ? 'stop' : 'tool_calls'
    if (isRequest(body) && body.stream !== true) {
      const message = {
        role: 'assistant',
        content: turn.text ?? null,
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      }
      const choices = [{ index: 0, finish_reason: end, message }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage: USAGE }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    const send = (more: object) =>
      response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...more })}\n\n`)
    const part = (delta: object, finish_reason: string | null = null) =>
      send({ choices: [{ index: 0, delta, finish_reason }] })
    part({ role: 'assistant', content: turn.text ?? '' })
    if (calls.length > 0) part({ tool_calls: calls })
    part({}, end)
    send({ choices: [], usage: USAGE })
    response.end('data: [DONE]\n\n')
  },
  aside: {
    '/v1/models': {
      object: 'list',
      data: [{ id: 'scripted', object: 'model', created: 1, owned_by: 'test' }],
    },
  },
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

interface Request {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools?: readonly { readonly function?: { readonly name: string } }[]
}

function isRequest(body: unknown): body is Request {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages)
}

/** A request without tools asks for a title or a summary, not for a turn. */
function readRequest({ messages, tools = [] }: Request): ModelRequest {
  const marks = messages
    .filter(({ role }) => role === 'user')
    .map((message) => conversationIn(textIn(message)))
  const spoken = messages.findLastIndex(({ role }) => role === 'assistant')
  return {
    conversation: tools.length === 0 ? undefined : marks.find((mark) => mark !== undefined),
    step: messages.filter(({ role }) => role === 'assistant').length,
    told: textIn(messages.slice(spoken + 1)),
    tools: tools.map((tool) => tool.function?.name ?? ''),
  }
}

function callsOf({ uses = [] }: ModelTurn, id: number) {
  return uses.map(({ name, input }, index) => ({
    index,
    id: `call_${id}_${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
}
