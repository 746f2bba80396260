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
/** Below this, a thread takes longer to start than the rows to be judged. */
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
): Promise<{ readonly wrongRows: number }> {
  const waiting: Taken[] = []
  let assistants: readonly Assistant[] | undefined
  let [wrongRows, unwritten, isWorking] = [0, 0, false]
  let written: Promise<unknown> = Promise.resolve()

  const work = async () => {
    if (isWorking) return
    isWorking = true
    for (let taken = waiting.shift(); taken !== undefined; taken = waiting.shift()) {
      taken.done(judge(taken.batch))
      await taken.judged.catch(() => {})
      // Judging waits for nothing, so answers of assistants could not arrive meanwhile.
      await nextTurn()
    }
    isWorking = false
  }
  const workWith = async (assistant: Assistant) => {
    for (let taken = waiting.shift(); taken !== undefined; taken = waiting.shift()) {
      const { batch, done } = taken
      const judged = await assistant.judge(batch).catch(() => undefined)
      done(judged ?? judge(batch))
      if (judged === undefined) return
    }
  }
  const take = async (batch: Rows) => {
    const taken = openBatch(batch)
    waiting.push(taken)
    unwritten += 1
    written = written.then(async () => {
      const judged = await taken.judged
      wrongRows += judged.wrongRows
      unwritten -= 1
      await write(judged.lines)
    })
    // A fault is told when all that was written is waited for.
    written.catch(() => {})
    if (assistants === undefined && waiting.length > ALONE_MAX_BATCHES) {
      assistants = startAssistants()
      for (const each of assistants) for (let n = 0; n < AHEAD; n += 1) void workWith(each)
    }
    void work()
    if (unwritten > WAITING_MAX_BATCHES) await written
  }
  try {
    for await (const batch of batchesOf(texts)) await take(batch)
    await written
    return { wrongRows }
  } finally {
    for (const each of assistants ?? []) each.end()
  }
}

interface Taken {
  readonly batch: Rows
  readonly judged: Promise<JudgedRows>
  done(judged: JudgedRows | Promise<JudgedRows>): void
}

function openBatch(batch: Rows): Taken {
  let done: Taken['done'] = () => {}
  const judged = new Promise<JudgedRows>((resolve) => {
    done = resolve
  })
  return { batch, judged, done }
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
