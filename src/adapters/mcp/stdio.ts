import type { Readable, Writable } from 'node:stream'
import { good, type Result } from '../../core/errors.ts'
import type { Passage } from './conversation.ts'
import type { McpGate } from './gate.ts'
import { countInFlight, type InFlight } from './in-flight.ts'
import { createLineReader } from './lines.ts'
import type { Ending, LinkListener, ServerLink } from './link.ts'
import { CODES, errorMessage, MESSAGE_MAX_BYTES } from './message.ts'

export interface StdioOptions {
  readonly gate: McpGate
  readonly input: Readable
  readonly output: Writable
  open(listener: LinkListener): Promise<Result<ServerLink>>
  /** For the user. */
  say(text: string): void
}

export interface StdioGate {
  /** Settled once the server has ended and the client has all answers; with the exit code of the gate. */
  readonly ended: Promise<number>
  /** Ends the server at once. */
  stop(): void
}

/** The maximum of messages that are checked in parallel; the sender of more has to wait. */
const JUDGED_MAX = 64

/**
 * Carries messages between a client on standard input and output and a server. If one side cannot take more,
 * the other side has to wait, so that memory stays small. When the client ends, its earlier requests are
 * still checked and sent; when the server ends, every waiting request gets an error.
 */
export async function openStdioGate(options: StdioOptions): Promise<Result<StdioGate>> {
  const { gate, input, output } = options
  const judged = countInFlight(
    JUDGED_MAX,
    () => input.pause(),
    () => input.resume(),
  )
  // Output that is not read is dropped, and does not block.
  const tell = (bytes: Buffer) => !output.writable || output.write(Buffer.concat([bytes, LINE_END]))
  let link: ServerLink | undefined
  const deliver = ({ toServer, toClient }: Passage) => {
    const isServerReady = toServer.map((bytes) => link?.send(bytes) ?? true).every(Boolean)
    const isClientReady = toClient.map(tell).every(Boolean)
    if (!isServerReady || !isClientReady) input.pause()
    if (!isClientReady) link?.hold()
  }
  const pass = (passage: Passage | Promise<Passage>) => {
    if (passage instanceof Promise) judged.add(passage, deliver)
    else deliver(passage)
  }
  let settle: (exitCode: number) => void = () => {}
  const ended = new Promise<number>((resolve) => {
    settle = resolve
  })
  let isClosing = false
  const finish = async ({ why, exitCode }: Ending) => {
    deliver(await gate.serverGone(why))
    await judged.none()
    if (!isClosing) options.say(why)
    // The exit code of a server that was killed says nothing.
    output.write('', () => settle(isClosing && exitCode >= SIGNALLED ? 0 : exitCode))
  }
  const opened = await options.open({
    message: (bytes) => pass(gate.fromServer(bytes)),
    ready: () => input.resume(),
    ended: (ending) => void finish(ending),
  })
  if (!opened.ok) return opened
  link = opened.value
  output.on('drain', () => {
    link?.resume()
    input.resume()
  })
  // The client no longer reads, so the server is not needed.
  output.on('error', () => {
    link?.stop()
    link?.resume()
  })
  const close = () => {
    isClosing = true
    gate.clientGone()
    void endWhenJudged(judged, link)
  }
  read(options, (bytes) => pass(gate.fromClient(bytes, tell)), tell, close)
  const stop = () => {
    link?.stop()
    // The end was requested, so it does not wait for the client to read the last output.
    setTimeout(() => settle(STOPPED), STOP_MS).unref()
  }
  return good({ ended, stop })
}

const LINE_END = Buffer.from('\n')
const SIGNALLED = 128
const STOPPED = SIGNALLED + 15
/** The server had its time to end by then. */
const STOP_MS = 1_500

function read(
  { input, say }: StdioOptions,
  line: (bytes: Buffer) => void,
  tell: (bytes: Buffer) => boolean,
  close: () => void,
): void {
  const text = `Holdpoint does not forward this message: it has more than ${MESSAGE_MAX_BYTES} bytes.`
  const tooLong = () => void tell(errorMessage(null, CODES.request, text))
  const reader = createLineReader(MESSAGE_MAX_BYTES, { line, tooLong })
  input.on('data', (chunk: Buffer) => reader.push(chunk))
  input.once('end', () => {
    if (reader.restBytes > 0) say('The client ended in the middle of a message, which was dropped.')
    close()
  })
  input.once('error', close)
}

async function endWhenJudged(judged: InFlight, link: ServerLink): Promise<void> {
  await judged.none()
  link.end()
}
