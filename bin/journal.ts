import { parentPort, workerData } from 'node:worker_threads'
import { createJournalWorker } from '../src/daemon/journal-worker.ts'
import type { Retention } from '../src/storage/journal/journal.ts'

// The daemon's journal thread: asked now and then, answers when it is done. It has a small file of its own: it needs
// nothing of the engine.
const worker = createJournalWorker(workerData.home)
parentPort?.on('message', async (retention: Retention | null) =>
  parentPort?.postMessage((await worker.importSpool(retention ?? undefined)) ?? null),
)
