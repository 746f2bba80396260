import { spawn } from 'node:child_process'
import { holdpointProgram } from '../installed.ts'

/** The installed command line at a terminal that stays open, as a user has it: with keys, and what it shows. */
export interface TerminalSession {
  /** Everything that was shown so far. */
  text(): string
  /** Waits until what was shown matches. */
  until(shown: RegExp): Promise<RegExpExecArray>
  type(keys: string): void
  /** Closes the terminal, and waits for the end of the command. */
  close(): Promise<void>
}

export interface TerminalSessionOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly size?: readonly [rows: number, columns: number]
  readonly program?: string
}

/**
 * Python creates the terminal, in a process without parents: an agent that runs these tests would be found above it.
 * What is typed comes in on standard input, and what is shown goes out on standard output.
 */
const PROGRAM = `
import fcntl, os, pty, select, signal, struct, sys, termios
ended, alive = os.pipe()
if os.fork() != 0:
    os.close(alive)
    os.read(ended, 1)
    os._exit(0)
if os.fork() != 0: os._exit(0)
os.setsid()
rows, columns = [int(cells) for cells in sys.argv[2].split()]
env = dict(pair.split('=', 1) for pair in sys.argv[3].split('\\x1f'))
pid, tty = pty.fork()
if pid == 0:
    os.chdir(sys.argv[1])
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
    os.execve(sys.argv[4], sys.argv[4:], env)
os.write(1, ('\\x00pid %d\\x00' % pid).encode())
isOpen = True
while True:
    ready, _, _ = select.select([tty] + ([0] if isOpen else []), [], [])
    if 0 in ready:
        keys = os.read(0, 4096)
        if keys: os.write(tty, keys)
        else:
            isOpen = False
            try: os.kill(pid, signal.SIGHUP)
            except ProcessLookupError: pass
    if tty in ready:
        try: part = os.read(tty, 65536)
        except OSError: break
        if not part: break
        os.write(1, part)
os.waitpid(pid, 0)
`

const WAIT_MAX_MS = 120_000

export function openTerminal(args: readonly string[], options: TerminalSessionOptions): TerminalSession {
  const { cwd, env, size = [40, 120], program = holdpointProgram() } = options
  const pairs = Object.entries({ PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env })
  const told = pairs.map(([name, value]) => `${name}=${value}`).join('\x1f')
  const words = ['-c', PROGRAM, cwd, size.join(' '), told, program, ...args]
  const child = spawn('python3', words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  })
  let text = ''
  let wake: () => void = () => {}
  let isEnded = false
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (part: string) => {
    text += part
    wake()
  })
  const ended = new Promise<void>((resolve) => {
    child.stdout.on('end', () => {
      isEnded = true
      wake()
      resolve()
    })
  })
  return {
    text: () => text,
    type: (keys) => void child.stdin.write(keys),
    async until(shown) {
      const untilMs = Date.now() + WAIT_MAX_MS
      for (;;) {
        const found = shown.exec(text)
        if (found !== null) return found
        if (isEnded || Date.now() > untilMs) throw new Error(`never shown: ${shown}\n${text}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 1_000)
        })
      }
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
