import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { percentile } from './rate.mjs'

/** This many calls in a row, so that a busy moment of the machine affects both equally. */
const STRETCH = 50

/** @typedef {{ readonly what: string, readonly words: readonly string[], readonly tool: string, readonly input: object }} Call */

/**
 * One tool call over standard input and output, from its line to the line of its result: directly, and
 * through the gate.
 * @param {string} root
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export async function measureMcp(root, { rounds, callWarmUps }) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-mcp-'))
  const file = join(folder, 'project', 'notes.txt')
  mkdirSync(join(folder, 'project'))
  writeFileSync(file, 'x'.repeat(1_000))
  /** @param {string} name */
  const server = (name) =>
    join(root, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js')
  /** @type {readonly Call[]} */
  const calls = [
    {
      what: '`echo` of server-everything',
      words: [server('everything')],
      tool: 'echo',
      input: { message: 'hi' },
    },
    {
      what: '`read_text_file` of server-filesystem',
      words: [server('filesystem'), join(folder, 'project')],
      tool: 'read_text_file',
      input: { path: file },
    },
  ]
  try {
    const measured = []
    for (const { what, words, tool, input } of calls) {
      const gate = [join(root, 'dist', 'holdpoint.cjs'), 'mcp', '--home', join(folder, 'home')]
      const bare = await connect([...words], folder)
      const gated = await connect([...gate, '--', process.execPath, ...words], folder)
      /** @type {Record<'bare' | 'gated', number[]>} */
      const times = { bare: [], gated: [] }
      /** @type {(client: typeof bare, count: number) => Promise<number[]>} */
      const timed = async (client, count) => {
        const all = []
        for (let i = 0; i < count; i += 1) all.push(await client.time(tool, input))
        return all
      }
      for (const client of [bare, gated]) await timed(client, callWarmUps)
      for (let done = 0; done < rounds; done += STRETCH) {
        const count = Math.min(STRETCH, rounds - done)
        times.bare.push(...(await timed(bare, count)))
        times.gated.push(...(await timed(gated, count)))
      }
      bare.close()
      gated.close()
      measured.push({ what, ...times })
    }
    return measured
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * A client that only writes a line and waits for one, so that it measures the other side.
 * @param {readonly string[]} words
 * @param {string} folder
 */
async function connect(words, folder) {
  const env = { PATH: process.env.PATH, HOME: folder }
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] })
  let id = 0
  let rest = ''
  /** @type {(line: string) => void} */
  let waiting = () => {}
  /** @type {(error: Error) => void} */
  let fail = () => {}
  child.once('exit', (code) => fail(new Error(`${words.join(' ')} ended with ${code}`)))
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.includes(`"id":${id}`)) waiting(line)
  })
  /** @param {object} json */
  const say = (json) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...json })}\n`)
  /** @type {(method: string, params: object) => Promise<string>} */
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      id += 1
      waiting = resolve
      fail = reject
      say({ id, method, params })
    })
  const clientInfo = { name: 'bench', version: '1' }
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  say({ method: 'notifications/initialized' })
  return {
    /**
     * @param {string} name
     * @param {object} input
     */
    async time(name, input) {
      const started = performance.now()
      const answer = await ask('tools/call', { name, arguments: input })
      const us = (performance.now() - started) * 1000
      if (answer.includes('"isError":true') || answer.includes('"error":')) throw new Error(answer)
      return us
    },
    close: () => child.stdin.end(),
  }
}

/**
 * @param {Awaited<ReturnType<typeof measureMcp>>} measured
 * @returns {import('./report.mjs').Section}
 */
export function mcpRows(measured) {
  /** @type {(times: readonly number[], p: number) => string} */
  const micros = (times, p) => Math.round(percentile(times, p)).toLocaleString('en')
  /** @type {(measured: { readonly bare: readonly number[], readonly gated: readonly number[] }, p: number) => string} */
  const ratio = ({ bare, gated }, p) => `${(percentile(gated, p) / percentile(bare, p)).toFixed(2)}x`
  return {
    title: 'A tool call through the MCP gate',
    head: [
      'call',
      'bare p50 µs',
      'through the gate p50 µs',
      'ratio p50',
      'bare p99 µs',
      'gate p99 µs',
      'ratio p99',
    ],
    rows: measured.map((each) => [
      each.what.padEnd(40),
      micros(each.bare, 50),
      micros(each.gated, 50),
      ratio(each, 50),
      micros(each.bare, 99),
      micros(each.gated, 99),
      ratio(each, 99),
    ]),
    note: 'Over standard input and output, with and without the gate in turns. Through the gate, a call crosses two processes instead of one, is checked before and after it runs by the default packs, and leaves two records in the journal.',
  }
}
