import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { percentile } from './rate.mjs'

/** This many calls in a row, so that a busy moment of the machine affects both equally. */
const STRETCH = 50
const WARM_UP = 300

/**
 * One tool call over standard input and output, from its line to the line of its result: directly, and
 * through the gate.
 */
export async function measureMcp(root, rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-mcp-'))
  const file = join(folder, 'project', 'notes.txt')
  mkdirSync(join(folder, 'project'))
  writeFileSync(file, 'x'.repeat(1_000))
  const server = (name) =>
    join(root, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js')
  const servers = [
    ['`echo` of server-everything', [server('everything')], 'echo', { message: 'hi' }],
    [
      '`read_text_file` of server-filesystem',
      [server('filesystem'), join(folder, 'project')],
      'read_text_file',
      { path: file },
    ],
  ]
  try {
    const measured = []
    for (const [what, words, tool, input] of servers) {
      const gate = [join(root, 'dist', 'holdpoint.cjs'), 'mcp', '--home', join(folder, 'home')]
      const bare = await connect([...words], folder)
      const gated = await connect([...gate, '--', process.execPath, ...words], folder)
      const times = { bare: [], gated: [] }
      const run = async (name, client, count) => {
        for (let i = 0; i < count; i += 1) times[name].push(await client.time(tool, input))
      }
      for (const [name, client] of Object.entries({ bare, gated })) {
        await run(name, client, WARM_UP)
        times[name] = []
      }
      for (let done = 0; done < rounds; done += STRETCH) {
        await run('bare', bare, STRETCH)
        await run('gated', gated, STRETCH)
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

/** A client that only writes a line and waits for one, so that it measures the other side. */
async function connect(words, folder) {
  const env = { PATH: process.env.PATH, HOME: folder }
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] })
  let id = 0
  let rest = ''
  let waiting = () => {}
  let fail = () => {}
  child.once('exit', (code) => fail(new Error(`${words.join(' ')} ended with ${code}`)))
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.includes(`"id":${id}`)) waiting(line)
  })
  const say = (json) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...json })}\n`)
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

export function mcpRows(measured) {
  const micros = (times, p) => Math.round(percentile(times, p)).toLocaleString('en')
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
