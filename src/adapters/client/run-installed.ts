import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Reply } from '../../core/decision.ts'
import type { Call } from './client.ts'
import { placeProblem } from './home-check.ts'

const REPLY_MAX_BYTES = 64 * 1024 * 1024

/** The reply of the installed hook program, which starts the next daemon too; or why there is none. */
export function runInstalled(call: Call): Promise<Reply | string> {
  const program = join(call.home, 'bin', 'holdpoint-hook')
  const problem = placeProblem(program)
  if (problem !== undefined) return Promise.resolve(`${program} ${problem}`)
  const leftMs = call.leftMs()
  if (leftMs <= 0) return Promise.resolve('no answer in time')
  return new Promise((resolve) => {
    const child = spawn(program, [...call.argv.slice(0, -1), `${leftMs}`], {
      cwd: isFolder(call.cwd) ? call.cwd : '/',
      env: call.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A separate process group, so that everything it started can be ended with it.
      detached: true,
    })
    const settle = (reply: Reply | string) => {
      clearTimeout(deadline)
      resolve(reply)
    }
    const abandon = (why: string) => {
      endGroup(child)
      settle(why)
    }
    const deadline = setTimeout(() => abandon('no answer in time'), leftMs)
    const [out, err] = [collected(child.stdout, abandon), collected(child.stderr, abandon)]
    child.on('error', () => settle(`${program} could not be started; \`npx holdpoint init\` writes it`))
    child.on('close', (exitCode) => {
      if (exitCode !== 0 && exitCode !== 2) return settle('the hook process ended without an answer')
      settle({ stdout: out().toString('utf8'), stderr: err().toString('utf8'), exitCode })
    })
    // A program that ends before it has read everything reports that by its exit code.
    child.stdin?.on('error', () => {})
    child.stdin?.end(call.input)
  })
}

function collected(stream: ChildProcess['stdout'], abandon: (why: string) => void): () => Buffer {
  const chunks: Buffer[] = []
  let bytes = 0
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > REPLY_MAX_BYTES) abandon('its answer is too large')
    else chunks.push(chunk)
  })
  stream?.on('error', () => abandon('the hook process cannot be heard'))
  return () => Buffer.concat(chunks)
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
