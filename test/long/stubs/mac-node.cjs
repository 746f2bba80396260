// Loaded first by every Node of the simulation: it says that it runs on a Mac, and has the limits of one.
const net = require('node:net')
const os = require('node:os')
const threads = require('node:worker_threads')

Object.defineProperty(process, 'platform', { value: 'darwin' })
os.platform = () => 'darwin'
os.type = () => 'Darwin'
// Node of Linux reads it from /proc.
Object.assign(process.memoryUsage, { rss: () => 50_000_000 })

// A thread may be started with options of its own.
const { Worker } = threads
class WorkerOnMac extends Worker {
  /**
   * @param {string | URL} file
   * @param {import('node:worker_threads').WorkerOptions} [options]
   */
  constructor(file, options = {}) {
    super(file, { ...options, execArgv: [...(options.execArgv ?? []), '--require', __filename] })
  }
}
Object.assign(threads, { Worker: WorkerOnMac })

// An address of a socket has 104 bytes there, with the zero at its end.
const PATH_MAX_BYTES = 103
limit(net.Server.prototype, 'listen')
limit(net.Socket.prototype, 'connect')

/**
 * @param {Record<string, any>} owner
 * @param {string} name
 */
function limit(owner, name) {
  const real = owner[name]
  /**
   * @this {import('node:events').EventEmitter}
   * @param {any[]} args
   */
  owner[name] = function (...args) {
    // Node puts the arguments of `connect` into a list before it calls it.
    const [first] = Array.isArray(args[0]) ? args[0] : args
    const path = typeof first === 'string' ? first : first?.path
    if (typeof path !== 'string' || Buffer.byteLength(path) <= PATH_MAX_BYTES) return real.apply(this, args)
    const error = Object.assign(new Error(`${name} EINVAL ${path}`), { code: 'EINVAL' })
    process.nextTick(() => this.emit('error', error))
    return this
  }
}
