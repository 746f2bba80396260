import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { type BoardChannel, connectChannel } from './channel.ts'
import type { BoardRegistration } from './registration.ts'
import type { SignedAnswer } from './signed-answer.ts'

/** What a board knows of the daemon: who may answer, and what waits. */
export interface BoardView {
  readonly isConnected: boolean
  /** The board that may answer, in words; undefined if there is none. */
  readonly answering?: string
  /** This board may answer. */
  readonly isYou: boolean
  /** Other boards that wanted to, since this one may. */
  readonly refused: readonly string[]
  readonly pending: readonly PendingQuestion[]
}

export interface PendingQuestion {
  readonly id: string
  readonly call: string
  readonly untilMs: number
}

/** What became of an answer. */
export type Settled = 'counted' | 'gone' | 'signature' | 'not the board' | 'unconnected'

export interface BoardLink {
  answer(id: string, answer: SignedAnswer): Promise<Settled>
  view(): BoardView
  close(): void
}

const RECONNECT_MS = 500
const SETTLED_MAX_MS = 5_000
const NOT_CONNECTED: BoardView = { isConnected: false, isYou: false, refused: [], pending: [] }

/**
 * The connection of a board to the daemon. It connects again for as long as the board runs, and registers itself again
 * with the same signature: a daemon may be replaced at any time. Without a registration it only watches.
 */
export function openBoardLink(
  run: string,
  registration: BoardRegistration | undefined,
  onChange: (view: BoardView) => void,
): BoardLink {
  let channel: BoardChannel | undefined
  let view = NOT_CONNECTED
  let isClosed = false
  const settling = new Map<string, (settled: Settled) => void>()
  const show = (next: BoardView) => {
    view = next
    onChange(view)
  }
  const connect = async () => {
    const opened = await connectChannel(run, {
      onMessage(message) {
        if (message.kind === 'state') show(viewOf(message))
        if (message.kind === 'settled') settling.get(textAt(message, 'id') ?? '')?.(settledOf(message))
      },
      onClose() {
        channel = undefined
        for (const settle of settling.values()) settle('unconnected')
        show(NOT_CONNECTED)
        again()
      },
    })
    if (opened === undefined || isClosed) return opened === undefined ? again() : opened.close()
    channel = opened
    channel.send({ kind: 'watch' })
    if (registration !== undefined)
      channel.send({ kind: 'register', registration: { ...registration } as unknown as JsonObject })
  }
  const again = () => {
    if (!isClosed) setTimeout(() => void connect(), RECONNECT_MS).unref()
  }
  void connect()
  return {
    view: () => view,
    answer: (id, answer) =>
      new Promise((resolve) => {
        if (channel === undefined) return resolve('unconnected')
        const settle = (settled: Settled) => {
          clearTimeout(timer)
          settling.delete(id)
          resolve(settled)
        }
        const timer = setTimeout(() => settle('gone'), SETTLED_MAX_MS)
        settling.set(id, settle)
        channel.send({ kind: 'answer', id, answer: { ...answer } as unknown as JsonObject })
      }),
    close() {
      isClosed = true
      channel?.close()
    },
  }
}

function settledOf({ ok, why }: JsonObject): Settled {
  if (ok === true) return 'counted'
  return why === 'signature' || why === 'not the board' ? why : 'gone'
}

function viewOf(message: JsonObject): BoardView {
  const answering = textAt(message, 'board')
  const list = (value: unknown) => (Array.isArray(value) ? value : [])
  return {
    isConnected: true,
    ...(answering === undefined ? {} : { answering }),
    isYou: message.isYou === true,
    refused: list(message.refused).map(String),
    pending: list(message.pending).flatMap((each) => {
      if (!isObject(each)) return []
      const [id, call] = [textAt(each, 'id'), textAt(each, 'call')]
      if (id === undefined || call === undefined || typeof each.untilMs !== 'number') return []
      return [{ id, call, untilMs: each.untilMs }]
    }),
  }
}
