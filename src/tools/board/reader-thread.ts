import { parentPort, Worker, workerData } from 'node:worker_threads'
import { HoldpointError, type Problem } from '../../core/errors.ts'
import { homeLayout } from '../../system/home.ts'
import { createReader, type Reader } from './reader.ts'

interface Question {
  readonly id: number
  readonly method: keyof Reader
  readonly argument: unknown
}

type Answer =
  | { readonly id: number; readonly kind: 'value'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'problem'; readonly problem: Problem }

export interface ReaderThread extends Reader {
  stop(): Promise<void>
}

interface ReaderStart {
  /** The built file of the thread. */
  readonly file: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const METHODS: readonly (keyof Reader)[] = [
  'records',
  'sessions',
  'session',
  'why',
  'policy',
  'agents',
  'tryCall',
  'diff',
  'report',
  'orchestrations',
  'projects',
]

/**
 * A reader on a thread of its own: SQLite waits for locks, a report reads the whole journal, and meanwhile approvals must
 * still be answered. A thread that dies fails its questions, and the next question starts another.
 */
export function startReaderThread({ file, home, env }: ReaderStart): ReaderThread {
  let worker: Worker | undefined
  let nextId = 0
  const waiting = new Map<number, (answer: Answer) => void>()
  const begin = () => {
    const thread = new Worker(file, { env: { ...env }, workerData: { home } })
    thread.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer))
    thread.on('error', () => {})
    thread.on('exit', () => {
      if (worker === thread) worker = undefined
      for (const [id, settle] of waiting) settle({ id, kind: 'problem', problem: DIED })
    })
    worker = thread
    return thread
  }
  const ask = (method: keyof Reader, argument: unknown) =>
    new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, (answer) => {
        waiting.delete(id)
        if (answer.kind === 'value') resolve(answer.value)
        else reject(new HoldpointError(answer.problem))
      })
      const question: Question = { id, method, argument }
      const thread = worker ?? begin()
      thread.postMessage(question)
    })
  const methods = METHODS.map((method) => [method, (argument: unknown) => ask(method, argument)])
  return {
    ...(Object.fromEntries(methods) as unknown as Reader),
    async stop() {
      await worker?.terminate()
    },
  }
}

const DIED: Problem = { code: 'INTERNAL', message: 'The thread that reads the journal ended.' }

/** The code inside the thread: one question in, one answer out, in the order in which they are ready. */
export function serveReader(): void {
  const reader = createReader(homeLayout(String(workerData.home), process.env), process.env)
  parentPort?.on('message', async ({ id, method, argument }: Question) => {
    try {
      const value = await reader[method](argument as never)
      parentPort?.postMessage({ id, kind: 'value', value } satisfies Answer)
    } catch (error) {
      const problem: Problem =
        error instanceof HoldpointError
          ? error.problem
          : { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) }
      parentPort?.postMessage({ id, kind: 'problem', problem } satisfies Answer)
    }
  })
}
