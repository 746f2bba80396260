// Starts OpenClaw with the given arguments. With `--gateway` first, a gateway runs meanwhile, because only a gateway can
// run sub-agents; it ends when every sub-agent that was started has ended.
import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const [program = '', first = '', ...rest] = process.argv.slice(2)
/** @type {(args: readonly string[], env: NodeJS.ProcessEnv, stdio: import('node:child_process').StdioOptions) => ChildProcess} */
const start = (args, env, stdio) =>
  spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env }, stdio })
/** @type {(child: ChildProcess) => Promise<number | null>} */
const ended = (child) => new Promise((resolve) => child.on('close', resolve))

if (first !== '--gateway') {
  process.exitCode = (await ended(start([first, ...rest], {}, 'inherit'))) ?? 1
} else {
  const port = String(await freePort())
  const gateway = start(['gateway', 'run', '--port', port, '--bind', 'loopback'], {}, [
    'ignore',
    'pipe',
    'pipe',
  ])
  const gone = ended(gateway)
  await readyLine(gateway)
  process.exitCode = (await ended(start(rest, { OPENCLAW_GATEWAY_PORT: port }, 'inherit'))) ?? 1
  await settled(120_000)
  gateway.kill('SIGTERM')
  await gone
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('a server on loopback has a port')
      server.close(() => resolve(address.port))
    })
  })
}

/**
 * Also when it ends before: the client says why then.
 * @param {ChildProcess} child
 */
function readyLine(child) {
  return new Promise((resolve) => {
    let text = ''
    /** @param {Buffer} chunk */
    const look = (chunk) => {
      text += chunk
      if (text.includes('[gateway] ready')) resolve(undefined)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.on('close', resolve)
  })
}

/**
 * The journal has an end for each start of a sub-agent.
 * @param {number} atMostMs
 */
async function settled(atMostMs) {
  const home = process.env.HOLDPOINT_OF_TEST ?? ''
  for (const from = Date.now(); Date.now() - from < atMostMs; await sleep(500)) {
    const { stdout } = spawnSync(`${home}/bin/holdpoint`, ['log', '--json', '--home', home], {
      encoding: 'utf8',
    })
    const records = (stdout ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    const started = records.filter(({ event }) => event === 'SubagentStart').length
    const stopped = records.filter(
      ({ event, effect }) => event === 'SubagentStop' && effect !== 'deny',
    ).length
    if (started === stopped) return
  }
}
