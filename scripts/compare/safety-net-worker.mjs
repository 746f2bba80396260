// Rows on standard input, one word a line on standard output: whether the other guard objected.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [module = ''] = process.argv.slice(2)
const { checkCommand } = await import(pathToFileURL(join(module, 'dist', 'api.js')).href)
const hook = join(module, 'dist', 'bin', 'cc-safety-net.js')

for (const line of readFileSync(0, 'utf8').split('\n')) {
  if (line === '') continue
  const row = JSON.parse(line)
  process.stdout.write(`${row.event === undefined ? judgeCommand(row) : judgeEvent(row)}\n`)
}

/**
 * An error is its answer to input that it does not accept.
 * @param {{ readonly command: string, readonly cwd: string }} row
 */
function judgeCommand({ command, cwd }) {
  try {
    return checkCommand({ command, cwd }).kind === 'deny'
  } catch {
    return true
  }
}

/** @param {{ readonly event: object, readonly cwd: string }} row */
function judgeEvent({ event, cwd }) {
  const { stdout, status } = spawnSync(process.execPath, [hook, 'hook', '--claude-code'], {
    input: JSON.stringify({ session_id: 'compare', cwd, ...event }),
    encoding: 'utf8',
  })
  return status !== 0 || /"permissionDecision":\s*"(?:deny|ask)"/.test(stdout)
}
