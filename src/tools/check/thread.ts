import { parentPort, Worker, workerData } from 'node:worker_threads'
import { buildCheckPlan } from '../../app/check-plan.ts'
import type { RowPlace } from './answer-row.ts'
import type { Assistant, JudgedRows, Rows } from './judge-rows.ts'
import { createRowJudge } from './row-judge.ts'

/** What a thread needs to judge as the command does: packs alone, so that nothing is started or loaded in it. */
export interface CheckRequest {
  readonly packs: readonly string[] | undefined
  readonly level: string | undefined
  readonly place: RowPlace
}

/** A thread of `holdpoint check`: batches in, their answers out in the same order, until it is ended. */
export function serveChecks(): void {
  const { packs, level, place } = workerData as CheckRequest
  const judge = buildCheckPlan(packs, level).then((loaded) => createRowJudge(loaded, place))
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (batch: Rows) => {
    last = last.then(async () => parentPort?.postMessage(await (await judge)(batch)))
  })
}

/** Starts such a thread. If it dies, what it had is refused: the caller judges that itself. */
export function startCheckThread(file: string, request: CheckRequest): Assistant {
  const worker = new Worker(file, { workerData: request })
  const open: { readonly resolve: (judged: JudgedRows) => void; readonly reject: (why: Error) => void }[] = []
  let isGone = false
  worker.on('message', (judged: JudgedRows) => open.shift()?.resolve(judged))
  // `exit` follows, and says the rest.
  worker.on('error', () => {})
  worker.on('exit', () => {
    isGone = true
    for (const { reject } of open.splice(0)) reject(GONE)
  })
  return {
    judge: (batch) =>
      new Promise((resolve, reject) => {
        if (isGone) {
          reject(GONE)
          return
        }
        open.push({ resolve, reject })
        worker.postMessage(batch)
      }),
    end: () => void worker.terminate(),
  }
}

const GONE = new Error('the thread has ended')
