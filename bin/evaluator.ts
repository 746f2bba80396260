import { parentPort } from 'node:worker_threads'
import { createEvaluator } from '../src/daemon/evaluator.ts'
import type { Question, ThreadWord } from '../src/daemon/evaluator-thread.ts'
import { encodeReply } from '../src/daemon/protocol.ts'
import { warmUp } from '../src/daemon/warm-up.ts'
import { monotonicMs } from '../src/world/clock.ts'

// The daemon's judging thread. A fault in here ends the thread; the daemon starts another.
const say = (word: ThreadWord) => parentPort?.postMessage(word)
const evaluate = createEvaluator(monotonicMs)

// Not at once: what started the daemon is waiting for an answer of its own, on the same processors.
const WARM_UP_AFTER_MS = 2_000
setTimeout(() => {
  warmUp(monotonicMs).catch((error) => say({ trouble: `no warm-up: ${String(error)}` }))
}, WARM_UP_AFTER_MS)

parentPort?.on('message', async (question: Question) => {
  if (!('frame' in question)) return say({ id: question.id })
  const { frame, id, receivedMs } = question
  const evaluated = await evaluate(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength), receivedMs)
  say({ id, reply: encodeReply(evaluated.reply) })
  const trouble = evaluated.settle()
  if (trouble !== undefined) say({ trouble: `a record was lost: ${trouble}` })
})
