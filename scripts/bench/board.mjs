import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { builtModule } from '../built-module.mjs'

/**
 * The board on a long journal, in a real browser: `node scripts/bench/board.mjs [records] [events]`, after `npm run build`. Prints how
 * long the first view takes, the frames while the list scrolls, and how soon a decision is on the page.
 */

const ROOT = resolve(import.meta.dirname, '..', '..')
const COUNT = Number(process.argv[2] ?? 1_000_000)
const EVENTS = Number(process.argv[3] ?? 100)
const BATCH = 2_000
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-board-'))
const home = join(folder, 'home')
const journal = join(home, 'journal')
mkdirSync(journal, { recursive: true, mode: 0o700 })
const sinceMs = Date.now() - COUNT * 1_000

/**
 * @param {number} n
 * @returns {import('../../src/storage/journal/store.ts').JournalRecord}
 */
function record(n) {
  const effect = n % 97 === 0 ? 'deny' : 'pass'
  return {
    id: `r${n.toString(36)}-bench`,
    at: new Date(sinceMs + n * 1_000).toISOString(),
    host: n % 3 === 0 ? 'codex' : 'claude-code',
    event: 'PreToolUse',
    session: `session-${Math.floor(n / 400)}`,
    tool: ['Bash', 'Read', 'Edit', 'Write'][n % 4] ?? 'Bash',
    input: `npm run step-${n} && git status --porcelain`,
    cwd: '/srv/shop',
    project: `/srv/shop-${n % 7}`,
    effect,
    because: effect === 'pass' ? [] : ['safety/git/force-push'],
    durationMs: 1.2,
    revision: 'r',
  }
}

async function fill() {
  const { openSqliteStore } = await builtModule('src/storage/journal/sqlite/store.ts')
  const store = openSqliteStore(journal)
  for (let n = 0; n < COUNT; n += BATCH) {
    store.append(Array.from({ length: Math.min(BATCH, COUNT - n) }, (_, i) => record(n + i)))
  }
  store.close()
}

async function startBoard() {
  const env = { PATH: process.env.PATH, HOME: folder, HOLDPOINT_HOME: home, NO_COLOR: '1' }
  const words = [join(ROOT, 'dist', 'holdpoint.cjs'), 'ui', '--no-open']
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const link = await new Promise((found) => {
    child.stdout.on('data', (part) => {
      const shown = /http:\S+/.exec(String(part))?.[0]
      if (shown !== undefined) found(shown)
    })
  })
  return { link, end: () => child.kill() }
}

/**
 * The value below which this share of the values lies.
 * @param {readonly number[]} values
 * @param {number} share
 */
function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const SCROLL = `(async () => {
  const box = document.querySelector('.virtual')
  const frames = []
  let last = performance.now()
  for (let i = 0; i < 240; i += 1) {
    box.scrollTop += 120
    await new Promise(requestAnimationFrame)
    frames.push(performance.now() - last)
    last = performance.now()
  }
  return { frames, rows: box.querySelectorAll('li').length, height: box.scrollHeight }
})()`

const SEEN = `(() => {
  window.seen = []
  new MutationObserver(() => {
    for (const link of document.querySelectorAll('.virtual a')) {
      const sent = /sent-(\\d+\\.\\d+)-/.exec(link.textContent)
      if (sent !== null && !window.seen.some(([id]) => id === sent[1])) window.seen.push([sent[1], performance.timeOrigin + performance.now()])
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
})()`

const startedMs = performance.now()
await fill()
console.log(`${COUNT} records written in ${Math.round((performance.now() - startedMs) / 1_000)} s`)
const board = await startBoard()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS,
})
try {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } })
  const openMs = performance.now()
  await page.goto(board.link)
  await page.locator('.virtual a').first().waitFor()
  console.log(`first view: ${Math.round(performance.now() - openMs)} ms`)
  /** @type {{ readonly frames: readonly number[], readonly rows: number, readonly height: number }} */
  const { frames, rows, height } = await page.evaluate(SCROLL)
  const long = frames.filter((ms) => ms > 50).length
  console.log(
    `scrolling ${frames.length} frames over ${height} pixels with ${rows} rows in the page: p50 ${quantile(frames, 0.5).toFixed(1)} ms, p95 ${quantile(frames, 0.95).toFixed(1)} ms, ${long} longer than 50 ms`,
  )
  await page.evaluate('document.querySelector(".virtual").scrollTop = 0')
  await page.evaluate(SEEN)
  for (let n = 0; n < EVENTS; n += 1) {
    const sent = (performance.timeOrigin + performance.now()).toFixed(3)
    const live = { ...record(COUNT + n), at: new Date().toISOString(), input: `echo sent-${sent}-` }
    appendFileSync(join(journal, 'spool.jsonl'), `${JSON.stringify(live)}\n`, { mode: 0o600 })
    await new Promise((done) => setTimeout(done, 60))
  }
  await page.waitForFunction(`window.seen.length >= ${EVENTS}`)
  /** @type {readonly (readonly [sent: string, at: number])[]} */
  const seen = await page.evaluate('window.seen')
  const late = seen.map(([sent, at]) => at - Number(sent))
  console.log(
    `on the page after: p50 ${quantile(late, 0.5).toFixed(0)} ms, p95 ${quantile(late, 0.95).toFixed(0)} ms`,
  )
} finally {
  await browser.close()
  board.end()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
/** @type {Readonly<Record<string, string>>} */
const files = JSON.parse(
  brotliDecompressSync(readFileSync(join(ROOT, 'dist', 'board.json.br'))).toString('utf8'),
)
const bytes = Object.values(files).reduce((sum, text) => sum + gzipSync(text).length, 0)
console.log(`files of the board: ${(bytes / 1_000).toFixed(1)} kB compressed`)
