import { parentPort } from 'node:worker_threads'
import { createEvaluator } from '../src/daemon/evaluator.ts'
import type { Question, ThreadWord } from '../src/daemon/evaluator-thread.ts'
import { encodeReply } from '../src/daemon/protocol.ts'
import { warmUpLater } from '../src/daemon/warm-up.ts'
import { monotonicMs } from '../src/world/clock.ts'

// The daemon's judging thread. A fault in here ends the thread; the daemon starts another.
const say = (word: ThreadWord) => parentPort?.postMessage(word)
const evaluate = createEvaluator(monotonicMs)

warmUpLater(monotonicMs, (trouble) => say({ trouble }))

parentPort?.on('message', async (question: Question) => {
  if (!('frame' in question)) return say({ id: question.id })
  const { frame, id, receivedMs } = question
  const evaluated = await evaluate(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength), receivedMs)
  say({ id, reply: encodeReply(evaluated.reply) })
  const trouble = evaluated.settle()
  if (trouble !== undefined) say({ trouble: `a record was lost: ${trouble}` })
})
