import type { Readable, Writable } from 'node:stream'
import { good, type Result } from '../errors.ts'
import type { Passage } from './conversation.ts'
import type { Gate } from './gate.ts'
import { countInFlight, type InFlight } from './in-flight.ts'
import { createLineReader } from './lines.ts'
import type { Ending, LinkListener, ServerLink } from './link.ts'
import { CODES, errorMessage, MESSAGE_MAX_BYTES } from './message.ts'

export interface StdioOptions {
  readonly gate: Gate
  readonly input: Readable
  readonly output: Writable
  open(listener: LinkListener): Promise<Result<ServerLink>>
  /** For the person. */
  say(text: string): void
}

export interface StdioGate {
  /** Settled once the server has ended and the client was told; with the exit code to end with. */
  readonly ended: Promise<number>
  /** Ends the server at once. */
  stop(): void
}

/** More messages than this are not judged side by side: whoever sends them waits. */
const JUDGED_MAX = 64

/**
 * Carries messages between a client on standard input and output and a server. Whoever cannot take more makes the other
 * side wait, so that a flood stays where it comes from. When the client ends, what it asked before is still judged and
 * sent; when the server ends, everybody who waits is told.
 */
export async function openStdioGate(options: StdioOptions): Promise<Result<StdioGate>> {
  const { gate, input, output } = options
  const judged = countInFlight(
    JUDGED_MAX,
    () => input.pause(),
    () => input.resume(),
  )
  // What nobody reads is lost, and makes nobody wait.
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
    // A server that had to be ended has no opinion on how it went.
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
  // Nobody reads what we say: nobody needs the server.
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
    // Whoever told us to end waits for that, whether or not anybody reads our last words.
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
  const text = `Holdpoint does not pass this message on: it has more than ${MESSAGE_MAX_BYTES} bytes.`
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
