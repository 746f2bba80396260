import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROUNDS = 60

/** Whole processes, interleaved: what one hook call costs beside the cheapest Node process there is. */
export function processRows(root) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
  const project = join(folder, 'project')
  mkdirSync(join(project, '.holdpoint'), { recursive: true })
  writeFileSync(
    join(project, '.holdpoint', 'config.yaml'),
    'version: 1\npacks: { safety: true, secrets: true }\n',
  )
  const event = (command) =>
    JSON.stringify({
      session_id: 's',
      transcript_path: '/t',
      cwd: project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: 'u',
      tool_input: { command },
    })
  const hook = [join(root, 'dist', 'hook.cjs'), 'claude-code', '--home', join(folder, 'home')]
  const contenders = {
    '/bin/true': ['/bin/true', [], ''],
    'node -e 0': [process.execPath, ['-e', '0'], ''],
    'hook, harmless command': [process.execPath, hook, event('git status && ls -la')],
    'hook, denied command': [process.execPath, hook, event('bash -c "git push --force origin main"')],
    'hook, event on a socket': [process.execPath, hook, event('git status && ls -la')],
  }
  const fifo = join(folder, 'stdin')
  execFileSync('mkfifo', [fifo])
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let round = -3; round < ROUNDS; round += 1) {
    for (const [name, [file, args, input]] of Object.entries(contenders)) {
      // Shells and most programs hand events over through a pipe; some agents use a socket, as Node's own pipes are.
      const pipe = name.endsWith('socket') ? undefined : filledPipe(fifo, input)
      const started = process.hrtime.bigint()
      const { status } = spawnSync(file, args, {
        input,
        cwd: project,
        stdio: [pipe ?? 'pipe', 'pipe', 'pipe'],
      })
      if (round >= 0) times[name].push(Number(process.hrtime.bigint() - started) / 1e6)
      if (pipe !== undefined) closeSync(pipe)
      if (status !== 0) throw new Error(`${name} ended with ${status}`)
    }
  }
  rmSync(folder, { recursive: true, force: true })
  const base = percentile(times['node -e 0'], 50)
  return {
    title: 'One hook call as a process',
    head: ['process', 'p50 / `node -e 0`', 'p50 ms', 'p90 ms', 'p99 ms'],
    rows: Object.entries(times).map(([name, all]) => [
      name.padEnd(28),
      `${(percentile(all, 50) / base).toFixed(2)}x`,
      ...[50, 90, 99].map((p) => percentile(all, p).toFixed(1)),
    ]),
    note: `${ROUNDS} interleaved rounds. Aim: at most 1.6x \`node -e 0\`.`,
  }
}

function filledPipe(path, text) {
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = openSync(path, constants.O_WRONLY)
  writeSync(writing, text)
  closeSync(writing)
  return reading
}

function percentile(values, p) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))]
}
