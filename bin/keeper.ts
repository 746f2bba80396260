import { parentPort, workerData } from 'node:worker_threads'
import { createKeeper } from '../src/daemon/keeper.ts'

// The daemon's journal thread: asked now and then, answers when it is done.
const keeper = createKeeper(workerData.home)
parentPort?.on('message', async () => parentPort?.postMessage((await keeper.tend()) ?? null))
