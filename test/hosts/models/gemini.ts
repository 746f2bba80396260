import { conversationIn, type ModelRequest, textIn, type Wire } from './model.ts'

/** The API of Gemini: `generateContent`, streamed or not. */
export const gemini: Wire = {
  read(path, body) {
    return /:(?:stream)?[gG]enerateContent$/.test(path) && isRequest(body) ? readRequest(body) : undefined
  },
  write(response, turn, body, id) {
    const isTurn = isRequest(body) && (body.tools ?? []).length > 0
    const parts = [
      ...(turn.text === undefined ? [] : [{ text: isTurn ? turn.text : ASIDE }]),
      ...(turn.uses ?? []).map(({ name, input }, index) => ({
        functionCall: { id: `call_${id}_${index}`, name, args: input },
      })),
    ]
    const candidates = [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }]
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 }
    // The path decides the form. A stream with one event is read by both.
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify({ candidates, usageMetadata, responseId: `r${id}` })}\n\n`)
  },
  aside: {},
}

/** For requests that are not a turn: which model to use, and who speaks next. */
const ASIDE = '{"reasoning":"x","next_speaker":"user","model_choice":"flash"}'

interface Content {
  readonly role?: string
  readonly parts?: readonly { readonly text?: string; readonly functionResponse?: unknown }[]
}

interface Request {
  readonly contents: readonly Content[]
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[]
}

function isRequest(body: unknown): body is Request {
  return typeof body === 'object' && body !== null && 'contents' in body && Array.isArray(body.contents)
}

function readRequest({ contents, tools = [] }: Request): ModelRequest {
  const names = tools.flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name)
  const marks = contents.map((content) =>
    content.role === 'user' ? conversationIn(textIn(content.parts ?? [])) : undefined,
  )
  const first = marks.findIndex((mark) => mark !== undefined)
  const spoken = contents.findLastIndex(({ role }) => role === 'model')
  return {
    conversation: names.length === 0 ? undefined : marks[first],
    step: contents.slice(first + 1).filter(({ role }) => role === 'model').length,
    told: contents
      .slice(spoken + 1)
      .map(toldIn)
      .join('\n'),
    tools: names,
  }
}

function toldIn({ parts = [] }: Content): string {
  return parts.map((part) => part.text ?? JSON.stringify(part.functionResponse ?? '')).join('\n')
}
