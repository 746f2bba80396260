import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { holdpointProgram } from '../installed.ts'
import type { Sandbox } from './command.ts'
import { givePin } from './pin.ts'

/** The installed command line at a terminal, as a user starts it: not as a child of the process that runs the tests. */

export interface Typed {
  /** What the terminal showed. */
  readonly text: string
  readonly exitCode: number
}

export interface TerminalOptions {
  /** Typed when the command asks, one answer for each question. In a menu, the selected answer is taken. */
  readonly type?: string | readonly string[]
  /** The environment of the parent process, which the command itself does not get. */
  readonly above?: Readonly<Record<string, string>>
  /** Rows and columns of the terminal. Without them its size is unknown. */
  readonly size?: readonly [rows: number, columns: number]
  /** Variables of the command for its terminal: PAGER, TERM, NO_COLOR, PATH. */
  readonly env?: Readonly<Record<string, string>>
  /** False: the home gets no PIN, so nobody can show that a person is here. */
  readonly hasPin?: boolean
  /** What is started, instead of `holdpoint`. */
  readonly program?: string
}

/**
 * Python creates the terminal. The process that starts the command has no parent: otherwise an agent that runs these
 * tests would be found above it, and every person would be refused.
 */
const PROGRAM = `
import fcntl, os, pty, re, signal, struct, sys, termios
out, inn = os.pipe()
if os.fork() == 0:
    if os.fork() != 0: os._exit(0)
    os.setsid()
    told = ('PATH', 'HOME', 'HOLDPOINT_HOME', 'HOLDPOINT_PROGRAM', 'PAGER', 'TERM', 'NO_COLOR')
    env = {k: v for k, v in os.environ.items() if k in told}
    pid, tty = pty.fork()
    if pid == 0:
        os.chdir(sys.argv[1])
        size = [int(cells) for cells in sys.argv[3].split()]
        if size: fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', *size, 0, 0))
        os.execve(sys.argv[4], [sys.argv[4], *sys.argv[6:]], env)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
    signal.alarm(200)
    answers, pin = sys.argv[2].split('\\x1f'), sys.argv[5]
    text, asked, chosen = b'', 0, 0
    while True:
        try: part = os.read(tty, 4096)
        except OSError: break
        if not part: break
        text += part
        for question in re.findall(rb' Type \\w+: |\\w+ PIN[^:\\n]*: ', text)[asked:]:
            asked += 1
            known = pin if question == b'Your PIN: ' else ''
            os.write(tty, (known or (answers.pop(0) if answers else '')).encode() + b'\\n')
        for _ in range(text.count('\u25c6'.encode()) - chosen):
            chosen += 1
            os.write(tty, b'\\r')
    _, status = os.waitpid(pid, 0)
    os.write(inn, text + b'\\0' + str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)
os.close(inn)
with os.fdopen(out, 'rb') as all: sys.stdout.buffer.write(all.read())
`

/** The arguments for `python3` that start the command at a terminal. */
function terminalWords(
  folder: string,
  args: readonly string[],
  answers = '',
  size = '',
  program = holdpointProgram(),
  pin = '',
): readonly string[] {
  return ['-c', PROGRAM, folder, answers, size, program, pin, ...args]
}

/** The same for tests that wait for each command: the person's own home, with a PIN, and this environment. */
export function personAt(
  { cwd, env, home = join(env.HOME ?? '', '.config', 'holdpoint') }: PersonPlace,
  args: readonly string[],
  program = holdpointProgram(),
): Typed {
  const words = terminalWords(cwd, args, '', '', program, givePin(home))
  const { stdout } = spawnSync('python3', words, {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
  return typedIn(stdout)
}

export interface PersonPlace {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Holdpoint's folder. */
  readonly home?: string
}

function typedIn(output: string): Typed {
  const [text = '', exitCode] = output.split('\0')
  return { text: text.replaceAll('\r\n', '\n'), exitCode: Number(exitCode) }
}

export function atTerminal(
  sandbox: Pick<Sandbox, 'project' | 'home'>,
  args: readonly string[],
  { type = '', above = {}, size, env: told = {}, program, hasPin = true }: TerminalOptions = {},
): Promise<Typed> {
  const answers = typeof type === 'string' ? type : type.join('\x1f')
  const pin = hasPin ? givePin(sandbox.home) : undefined
  const words = terminalWords(sandbox.project, args, answers, size?.join(' '), program, pin)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/home/dev',
    HOLDPOINT_HOME: sandbox.home,
    ...above,
    ...told,
  }
  return new Promise((resolve, reject) => {
    const child = spawn('python3', words, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.on('error', reject)
    child.on('close', () => {
      resolve(typedIn(Buffer.concat(parts).toString()))
    })
  })
}
