import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { serveModules } from '../src/system/modules/host/host.ts'
import { createProgress } from '../src/system/modules/host/progress.ts'
import { watch } from '../src/system/modules/host/watch.ts'
import { loadPrograms } from './load-programs.ts'

// The process modules run in, started by the module handler. The same file is its main thread and its watcher, who
// ends the whole group once nobody is there to ask; should that fail, this process at least ends itself.
const WATCHER_MS = 2_000

if (isMainThread) {
  const provided = { 'holdpoint/shell': () => loadPrograms().shellLibrary() }
  const { memory, progress } = createProgress()
  serveModules(progress, () => setTimeout(() => process.exit(1), WATCHER_MS), provided)
  new Worker(import.meta.filename, { workerData: memory }).unref()
} else watch(workerData as SharedArrayBuffer)
