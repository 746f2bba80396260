import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtModule } from '../built-module.mjs'
import { rate } from './rate.mjs'
import { commandAt, writeTranscripts } from './transcripts.mjs'

/**
 * Learning from sessions: how fast transcripts are scanned next to `check` on the same commands with both cores, how much
 * memory that takes for ten times as many, and what a second policy costs a replay.
 * @param {string} root
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export async function measureLearning(root, { transcriptCalls: calls }) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-learn-'))
  try {
    const [small, large] = [join(folder, 'small'), join(folder, 'large')]
    writeTranscripts(small, calls / 10)
    writeTranscripts(large, calls)
    const checked = await checkBothCores(root, folder, calls)
    const few = scan(small)
    const many = scan(large)
    return { calls, checked, few, many, diff: await diffCost(Math.min(calls, 20_000)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * `check` uses all processors itself.
 * @param {string} root
 * @param {string} folder
 * @param {number} calls
 */
async function checkBothCores(root, folder, calls) {
  const rows = join(folder, 'rows.jsonl')
  /** @type {(_: unknown, n: number) => string} */
  const row = (_, n) => `${JSON.stringify({ command: commandAt(n), cwd: '/srv/project' })}\n`
  writeFileSync(rows, Array.from({ length: calls }, row).join(''))
  const started = performance.now()
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [join(root, 'dist', 'holdpoint.cjs'), 'check', '--jsonl'], {
        stdio: [openSync(rows, 'r'), 'ignore', 'inherit'],
        env: { PATH: process.env.PATH, HOME: folder },
      })
      child.on('error', reject)
      child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`check: exit ${code}`))))
    })
  )
  return (calls * 1000) / (performance.now() - started)
}

/**
 * In a process of its own, which says how much memory it took at most.
 * @param {string} home
 * @returns {{ readonly perSecond: number, readonly maxBytes: number }}
 */
function scan(home) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'scan-once.mjs'), home],
    {
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`scan: ${stderr}`)
  return JSON.parse(stdout)
}

/** @param {number} events */
async function diffCost(events) {
  const { policyAlone } = await builtModule('src/tools/replay/policy-alone.ts')
  const { createReplay } = await builtModule('src/tools/replay/replay.ts')
  const rules = 'rules:\n  - { id: no-make, match: Bash, when: { shell: { command: make } }, deny: No. }\n'
  const quiet = 'packs: { safety: { guards: { safety/git/force-push: warn } }, secrets: true }\n'
  /** @param {string} text */
  const planOf = async (text) => {
    const policy = await policyAlone(text, '/home/dev')
    if (!policy.ok) throw new Error(policy.problem.message)
    return policy.value.plan
  }
  const plan = await planOf(`version: 1\n${rules}`)
  const other = await planOf(`version: 1\n${quiet}`)
  /** @type {import('../../src/tools/replay/recorded.ts').RecordedEvent[]} */
  const recorded = Array.from({ length: events }, (_, n) => ({
    position: n,
    at: new Date(0),
    project: '/srv/project',
    doubts: [],
    event: {
      kind: 'PreToolUse',
      host: 'claude-code',
      name: 'PreToolUse',
      session: `s${n % 20}`,
      cwd: '/srv/project',
      raw: {},
      tool: { name: 'Bash', input: { command: commandAt(n) } },
    },
  }))
  /** @param {'nothing' | typeof plan} against */
  const seconds = async (against) => {
    const run = await createReplay({ plan, against, home: '/home/dev', now: () => performance.now() })
    const started = process.cpuUsage()
    for (const event of recorded) await run.take(event)
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1e6
  }
  await seconds('nothing')
  await seconds(other)
  // Processor time, in turn: other jobs share the machine.
  let [one, two] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < 3; round += 1) {
    one = Math.min(one, await seconds('nothing'))
    two = Math.min(two, await seconds(other))
  }
  return { perSecond: events / one, ratio: two / one }
}

/**
 * @param {Awaited<ReturnType<typeof measureLearning>>} measured
 * @returns {import('./report.mjs').Section}
 */
export function learnRows({ calls, checked, few, many, diff }) {
  /** @param {number} bytes */
  const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`
  return {
    title: 'Learning from sessions',
    head: ['what', 'calls/s', 'memory at most'],
    rows: [
      ['check, both cores'.padEnd(32), rate(checked), ''],
      [`scan of ${rate(calls / 10)} calls`.padEnd(32), rate(few.perSecond), megabytes(few.maxBytes)],
      [`scan of ${rate(calls)} calls`.padEnd(32), rate(many.perSecond), megabytes(many.maxBytes)],
      ['replay, one policy, one core'.padEnd(32), rate(diff.perSecond), ''],
      ['replay, two policies, one core'.padEnd(32), rate(diff.perSecond / diff.ratio), ''],
    ],
    note: 'Generated transcripts of Claude Code, every call another command. Start-up is included, except in replay.',
  }
}
