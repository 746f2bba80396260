import { parentPort, workerData } from 'node:worker_threads'
import type { JournalSettings } from '../src/app/journal-settings.ts'
import { createJournalWorker } from '../src/daemon/journal-worker.ts'
import { loadFleet } from '../src/daemon/load-fleet.ts'
import { holeAfter } from '../src/tools/audit/session-end.ts'

// The daemon's journal thread: asked now and then, answers when it is done. It has a small file of its own: it needs
// nothing of the engine, and the part for fleets is loaded only on a machine that has one.
const worker = createJournalWorker(workerData.home, holeAfter)
const fleet = loadFleet(workerData.home)
parentPort?.on('message', async (settings: JournalSettings | null) => {
  const trouble = await worker.importSpool(settings?.retention)
  fleet.tick(settings ?? undefined)
  parentPort?.postMessage(trouble ?? fleet.trouble() ?? null)
})
