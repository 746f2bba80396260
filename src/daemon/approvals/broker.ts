import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import type { BoardChannel } from './channel.ts'
import { type BoardRegistration, describeBoard } from './registration.ts'

/**
 * Between the processes that ask and the board that answers: it keeps the list of questions, and lets one board at a time
 * answer. It decides nothing: the process that asks checks every signature itself.
 */
export interface Broker {
  /** A new connection. Returns what to do with its messages and at its end. */
  connect(channel: BoardChannel): { onMessage(message: JsonObject): void; onClose(): void }
  readonly counts: { readonly pending: number; readonly boards: number }
}

export interface BrokerOptions {
  /** The registration, if a person made it. */
  read(value: unknown): BoardRegistration | undefined
  now(): number
  /** For the journal: a board was opened, closed, or refused. */
  note(
    event: 'BoardOpened' | 'BoardClosed' | 'BoardRefused',
    registration: BoardRegistration,
    what: string,
  ): void
}

/** More than a person can answer. */
const PENDING_MAX = 100
const KEPT_MAX = 1_000
const REFUSED_MAX = 20

interface Pending {
  readonly id: string
  readonly call: string
  readonly session: string
  readonly untilMs: number
  readonly asker: BoardChannel
}

/** A board that answers. */
interface Board {
  readonly channel: BoardChannel
  readonly registration: BoardRegistration
  readonly refused: string[]
}

export function createBroker({ read, now, note }: BrokerOptions): Broker {
  const watchers = new Set<BoardChannel>()
  const pending = new Map<string, Pending>()
  /** Approvals for a session, by session and call. They are signed, so keeping them here grants nothing. */
  const kept = new Map<string, JsonObject>()
  let board: Board | undefined

  const tell = () => {
    const questions = [...pending.values()].map(({ id, call, untilMs }) => ({ id, call, untilMs }))
    const by = board === undefined ? null : describeBoard(board.registration)
    for (const watcher of watchers) {
      const isBoard = watcher === board?.channel
      watcher.send({
        kind: 'state',
        board: by,
        isYou: isBoard,
        refused: isBoard ? [...(board?.refused ?? [])] : [],
        pending: questions,
      })
    }
  }

  const ask = (asker: BoardChannel, message: JsonObject) => {
    const [id, call, session, digest] = ['id', 'call', 'session', 'digest'].map((name) =>
      textAt(message, name),
    )
    const { untilMs } = message
    if (id === undefined || call === undefined || session === undefined || digest === undefined)
      return asker.close()
    const known = kept.get(`${session}\n${digest}`)
    if (known !== undefined) return asker.send({ kind: 'answer', ...known })
    const isFull = pending.size >= PENDING_MAX || pending.has(id)
    if (board === undefined || isFull || typeof untilMs !== 'number') return asker.send({ kind: 'nobody' })
    pending.set(id, { id, call, session, untilMs, asker })
    tell()
  }

  const register = (channel: BoardChannel, message: JsonObject) => {
    const registration = read(message.registration)
    if (registration === undefined) return channel.send({ kind: 'refused', why: 'unsigned' })
    if (board !== undefined && board.channel !== channel) {
      const what = `${describeBoard(registration)}, at ${new Date(now()).toISOString()}`
      board.refused.push(what)
      board.refused.splice(0, board.refused.length - REFUSED_MAX)
      note('BoardRefused', registration, `a second board was refused: ${what}`)
      channel.send({ kind: 'refused', why: 'second', by: describeBoard(board.registration) })
      return tell()
    }
    board = { channel, registration, refused: [] }
    watchers.add(channel)
    note('BoardOpened', registration, `a board may answer questions: ${describeBoard(registration)}`)
    channel.send({ kind: 'registered' })
    tell()
  }

  const answer = (channel: BoardChannel, message: JsonObject) => {
    const question = pending.get(textAt(message, 'id') ?? '')
    const why = board?.channel !== channel ? 'not the board' : question === undefined ? 'gone' : undefined
    if (why !== undefined || question === undefined)
      return channel.send({ kind: 'settled', id: message.id ?? '', ok: false, why: why ?? 'gone' })
    question.asker.send({
      kind: 'answer',
      registration: { ...board?.registration } as unknown as JsonObject,
      answer: message.answer ?? null,
    })
  }

  /** The process that asked says whether the answer counted. */
  const settled = (asker: BoardChannel, message: JsonObject) => {
    const question = [...pending.values()].find((each) => each.asker === asker)
    if (question === undefined) return
    const isCounted = message.ok === true
    board?.channel.send({
      kind: 'settled',
      id: question.id,
      ok: isCounted,
      why: isCounted ? '' : 'signature',
    })
    if (!isCounted) return
    pending.delete(question.id)
    const digest = textAt(message, 'digest')
    if (isObject(message.keep) && digest !== undefined) {
      kept.set(`${question.session}\n${digest}`, message.keep)
      const [oldest] = kept.keys()
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    }
    tell()
  }

  return {
    get counts() {
      return { pending: pending.size, boards: board === undefined ? 0 : 1 }
    },
    connect(channel) {
      return {
        onMessage(message) {
          if (message.kind === 'ask') ask(channel, message)
          else if (message.kind === 'settled') settled(channel, message)
          else if (message.kind === 'answer') answer(channel, message)
          else if (message.kind === 'register') register(channel, message)
          else if (message.kind === 'watch') {
            watchers.add(channel)
            tell()
          } else channel.close()
        },
        onClose() {
          watchers.delete(channel)
          for (const [id, { asker }] of pending) if (asker === channel) pending.delete(id)
          if (board?.channel === channel) {
            const { registration } = board
            board = undefined
            note('BoardClosed', registration, `the board was closed: ${describeBoard(registration)}`)
            // Nobody can answer these any more.
            for (const { asker } of pending.values()) asker.send({ kind: 'closed' })
            pending.clear()
          }
          tell()
        },
      }
    },
  }
}
