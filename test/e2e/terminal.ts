import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { World } from './command.ts'

/** The built command line at a terminal, as a person starts it: below no process of whoever runs the tests. */

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'holdpoint.cjs')

export interface Typed {
  /** What the terminal showed. */
  readonly text: string
  readonly exitCode: number
}

export interface TerminalOptions {
  /** Typed when the command asks. */
  readonly type?: string
  /** What the process above it was started with; the command itself is not told. */
  readonly above?: Readonly<Record<string, string>>
}

/**
 * Python brings the terminal. The process that starts the command has lost its parent before: an agent that runs these
 * tests would otherwise be seen above it, and every person be refused.
 */
const PROGRAM = `
import os, pty, re, signal, sys
out, inn = os.pipe()
if os.fork() == 0:
    if os.fork() != 0: os._exit(0)
    os.setsid()
    env = {k: v for k, v in os.environ.items() if k in ('PATH', 'HOME', 'HOLDPOINT_HOME')}
    pid, tty = pty.fork()
    if pid == 0:
        os.chdir(sys.argv[1])
        os.execve(sys.argv[3], sys.argv[3:], env)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
    signal.alarm(200)
    text, typed = b'', False
    while True:
        try: part = os.read(tty, 4096)
        except OSError: break
        if not part: break
        text += part
        if not typed and re.search(rb' Type \\w+: ', text):
            typed = True
            os.write(tty, sys.argv[2].encode() + b'\\n')
    _, status = os.waitpid(pid, 0)
    os.write(inn, text + b'\\0' + str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)
os.close(inn)
with os.fdopen(out, 'rb') as all: sys.stdout.buffer.write(all.read())
`

export function atTerminal(
  world: World,
  args: readonly string[],
  { type = '', above = {} }: TerminalOptions = {},
): Promise<Typed> {
  const words = ['-c', PROGRAM, world.project, type, process.execPath, BIN, ...args]
  const env = { PATH: process.env.PATH ?? '', HOME: '/home/dev', HOLDPOINT_HOME: world.home, ...above }
  return new Promise((resolve, reject) => {
    const child = spawn('python3', words, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.on('error', reject)
    child.on('close', () => {
      const [text = '', exitCode] = Buffer.concat(parts).toString().split('\0')
      resolve({ text: text.replaceAll('\r\n', '\n'), exitCode: Number(exitCode) })
    })
  })
}
