import { PassThrough } from 'node:stream'
import { startServer } from '../../src/adapters/mcp/server-process.ts'
import { openStdioGate } from '../../src/adapters/mcp/stdio.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { type Answers, openGate } from './gate.ts'

/** A gate between streams of this process and a real server process, which is a few lines of JavaScript. */
export interface Wired {
  readonly said: string[]
  readonly input: PassThrough
  readonly output: PassThrough
  readonly ended: Promise<number>
  say(message: JsonObject | string | Buffer): void
  /** Returns the messages so far, once they satisfy the condition. */
  until(done: (messages: readonly JsonObject[]) => boolean): Promise<readonly JsonObject[]>
  stop(): void
}

/**
 * `program` can use `send(object)` and `write(text)`, and defines `on(message)` for each message. With `wait`, the
 * output of the gate is not read until `until` is called.
 */
export async function wire(program: string, answers: Answers = {}, wait = false): Promise<Wired> {
  const { gate, said } = openGate(answers)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const start = {
    command: process.execPath,
    args: ['-e', `${PRELUDE}\n${program}`],
    cwd: '/',
    env: { PATH: process.env.PATH },
  }
  const opened = await openStdioGate({
    gate,
    input,
    output,
    open: (listener) => startServer(start, listener),
    say: (text) => said.push(text),
  })
  if (!opened.ok) throw new Error(opened.problem.message)
  const messages: JsonObject[] = []
  let rest = ''
  const read = () => {
    if (output.listenerCount('data') > 0) return
    output.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) messages.push(JSON.parse(Buffer.from(line, 'latin1').toString('utf8')))
    })
  }
  if (!wait) read()
  return {
    ...opened.value,
    said,
    input,
    output,
    say(message) {
      const isRaw = typeof message === 'string' || Buffer.isBuffer(message)
      input.write(isRaw ? message : `${JSON.stringify(message)}\n`)
    },
    async until(done) {
      read()
      while (!done(messages)) await new Promise((resolve) => setTimeout(resolve, 2))
      return messages
    },
  }
}

const PRELUDE = `
const write = (text) => process.stdout.write(text)
const send = (json) => write(JSON.stringify(json) + '\\n')
const reply = (id, text) => send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
let on = (message) => reply(message.id, 'done')
let rest = ''
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) on(JSON.parse(line))
})
`
