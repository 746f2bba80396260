import { isMainThread, Worker } from 'node:worker_threads'
import { serveModules } from '../src/system/modules/host/host.ts'
import { watch } from '../src/system/modules/host/watch.ts'

// The process modules run in, started by the module handler. The same file is its main thread and its watcher, who
// ends the whole group once nobody is there to ask; should that fail, this process at least ends itself.
const WATCHER_MS = 2_000

if (isMainThread) {
  serveModules(() => setTimeout(() => process.exit(1), WATCHER_MS))
  new Worker(import.meta.filename).unref()
} else watch()
