import { conversationIn, type ModelRequest, type ModelTurn, startEvents, textIn, type Wire } from './model.ts'

/** The Responses API, always streamed. */
export const openai: Wire = {
  read(path, body) {
    return path === '/v1/responses' && isRequest(body) ? readRequest(body) : undefined
  },
  write(response, turn, _body, id) {
    const send = startEvents(response)
    const items = itemsOf(turn, id)
    const answer = { id: `resp_${id}`, object: 'response' }
    send('response.created', { response: { ...answer, status: 'in_progress', output: [] } })
    items.forEach((item, output_index) => {
      const isMessage = item.type === 'message'
      send('response.output_item.added', { output_index, item: isMessage ? { ...item, content: [] } : item })
      if (isMessage) {
        const place = { output_index, item_id: item.id, content_index: 0 }
        send('response.output_text.delta', { ...place, delta: turn.text })
      }
      send('response.output_item.done', { output_index, item })
    })
    send('response.completed', { response: { ...answer, status: 'completed', output: items, usage: USAGE } })
    response.end()
  },
  aside: { '/v1/models': { object: 'list', data: [], models: [] } },
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
}

interface Request {
  readonly input: readonly Item[]
  readonly tools?: readonly { readonly name?: string; readonly type: string }[]
}

interface Item {
  readonly type?: string
  readonly role?: string
  readonly content?: unknown
  readonly output?: unknown
}

function isRequest(body: unknown): body is Request {
  return typeof body === 'object' && body !== null && 'input' in body && Array.isArray(body.input)
}

function readRequest({ input, tools = [] }: Request): ModelRequest {
  const marks = input.filter((item) => item.role === 'user').map((item) => conversationIn(textIn(item)))
  const spoken = input.findLastIndex(isOfModel)
  return {
    // The first user messages describe the environment; the prompt is the first one with a mark.
    conversation: marks.find((mark) => mark !== undefined),
    step: input.filter((item, index) => isOfModel(item) && !isOfModel(input[index - 1])).length,
    told: textIn(input.slice(spoken + 1)),
    tools: tools.map((tool) => tool.name ?? tool.type),
  }
}

function isOfModel(item: Item | undefined): boolean {
  if (item === undefined) return false
  return item.role === 'assistant' || MODEL_ITEMS.has(item.type ?? '')
}

const MODEL_ITEMS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'reasoning'])

function itemsOf({ text, uses = [] }: ModelTurn, id: number) {
  const message = {
    type: 'message' as const,
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
  const calls = uses.map(({ name, input, namespace }, index) => {
    const same = { id: `fc_${id}_${index}`, call_id: `call_${id}_${index}`, name, status: 'completed' }
    return typeof input === 'string'
      ? { type: 'custom_tool_call' as const, ...same, input }
      : {
          type: 'function_call' as const,
          ...same,
          ...(namespace === undefined ? {} : { namespace }),
          arguments: JSON.stringify(input),
        }
  })
  return [...(text === undefined ? [] : [message]), ...calls]
}
