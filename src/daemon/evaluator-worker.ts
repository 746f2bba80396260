import { parentPort } from 'node:worker_threads'
import { monotonicMs } from '../system/clock.ts'
import { createEvaluator, storeRecords } from './evaluator.ts'
import type { ThreadReply, ThreadRequest } from './evaluator-thread.ts'
import { encodeReply } from './protocol.ts'

/** The code inside an evaluator thread: one request in, one reply out. */
export function serveEvaluations(): void {
  const say = (word: ThreadReply) => parentPort?.postMessage(word)
  const evaluate = createEvaluator(monotonicMs)

  parentPort?.on('message', async (question: ThreadRequest) => {
    if (!('frame' in question)) return say({ id: question.id })
    const { frame, id, receivedMs } = question
    const evaluated = await evaluate(
      Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength),
      receivedMs,
    )
    say({ id, reply: encodeReply(evaluated.reply) })
    for (const trouble of storeRecords([evaluated])) say({ trouble })
  })
}
