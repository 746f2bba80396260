import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows that one thread judges before it says anything. */
export type Rows = readonly string[]

export interface JudgedRows {
  /** A line for each row. */
  readonly lines: string
  readonly wrongRows: number
}

export type RowJudge = (batch: Rows) => Promise<JudgedRows>

/** Another thread that judges, next to this one. */
export interface Assistant {
  judge: RowJudge
  end(): void
}

/** So few that a program that waits for an answer is not kept waiting, and so many that sending them costs little. */
const BATCH_ROWS = 32
/** Up to here one thread is as fast: another one needs its own code first. */
const ALONE_MAX_ROWS = 300
const ALONE_MAX_BATCHES = 10
const WAITING_MAX_BATCHES = 200
/** An assistant has its next batch before it is done with the one before. */
const AHEAD = 2

/**
 * Judges rows in the order in which they are, on this thread and, if many wait, with assistants. A batch that an assistant
 * could not judge is judged here.
 */
export async function judgeRows(
  texts: AsyncIterable<string>,
  judge: RowJudge,
  startAssistants: () => readonly Assistant[],
  write: (lines: string) => Promise<void> | undefined,
  assisted: (rows: number) => void = () => {},
): Promise<{ readonly wrongRows: number }> {
  const waiting: Taken[] = []
  const seats: Seat[] = [{ isAssistant: false, isBusy: false, judge: (rows) => judgeHere(rows, judge) }]
  let assistants: readonly Assistant[] | undefined
  let [takenRows, judgedRows, wrongRows] = [0, 0, 0]
  const writing: Promise<void>[] = []
  let written: Promise<void> = Promise.resolve()

  const serve = async (seat: Seat) => {
    if (seat.isBusy) return
    seat.isBusy = true
    for (let taken = waiting.shift(); taken !== undefined; taken = waiting.shift()) {
      const judged = await seat.judge(taken.rows).catch(() => undefined)
      taken.done(judged ?? judge(taken.rows))
      // An assistant that is gone gets nothing more.
      if (judged === undefined) return
      judgedRows += taken.rows.length
      if (seat.isAssistant) assisted(judgedRows)
    }
    seat.isBusy = false
  }
  const take = async (rows: Rows) => {
    const taken = openBatch(rows)
    waiting.push(taken)
    takenRows += rows.length
    written = written.then(async () => {
      const judged = await taken.judged
      wrongRows += judged.wrongRows
      await write(judged.lines)
    })
    // A fault is told to whoever waits for it below.
    written.catch(() => {})
    writing.push(written)
    const isMany = takenRows > ALONE_MAX_ROWS && waiting.length > ALONE_MAX_BATCHES
    if (assistants === undefined && isMany) {
      assistants = startAssistants()
      for (const each of assistants)
        for (let n = 0; n < AHEAD; n += 1)
          seats.unshift({ isAssistant: true, isBusy: false, judge: each.judge })
    }
    for (const seat of seats) void serve(seat)
    if (writing.length > WAITING_MAX_BATCHES) await writing.shift()
  }
  try {
    for await (const rows of batchesOf(texts)) await take(rows)
    await written
    return { wrongRows }
  } finally {
    for (const each of assistants ?? []) each.end()
  }
}

/** Whoever judges one batch at a time. */
interface Seat {
  readonly isAssistant: boolean
  isBusy: boolean
  readonly judge: RowJudge
}

/** Judging waits for nothing, so answers of assistants could not arrive meanwhile: they may afterwards. */
async function judgeHere(rows: Rows, judge: RowJudge): Promise<JudgedRows> {
  const judged = await judge(rows)
  await nextTurn()
  return judged
}

interface Taken {
  readonly rows: Rows
  readonly judged: Promise<JudgedRows>
  done(judged: JudgedRows | Promise<JudgedRows>): void
}

function openBatch(rows: Rows): Taken {
  let done: Taken['done'] = () => {}
  const judged = new Promise<JudgedRows>((resolve) => {
    done = resolve
  })
  return { rows, judged, done }
}

/** The rows that arrived together. A line that was cut waits for its rest. */
async function* batchesOf(texts: AsyncIterable<string>): AsyncIterable<Rows> {
  let rest = ''
  for await (const text of texts) {
    const lines = text.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* inBatches(lines)
  }
  yield* inBatches([rest])
}

function* inBatches(lines: readonly string[]): Iterable<Rows> {
  const rows = lines.filter((line) => line.trim() !== '')
  for (let first = 0; first < rows.length; first += BATCH_ROWS) yield rows.slice(first, first + BATCH_ROWS)
}
