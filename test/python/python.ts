import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The system's own Python, not one that a version manager puts before it. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
export const PYTHON_PACKAGE = join(import.meta.dirname, '..', '..', 'python')

export interface PythonRan {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

/** Runs Python with the package of this repository. */
export function runPython(
  words: readonly string[],
  options: {
    readonly cwd?: string
    readonly env?: Readonly<Record<string, string>>
    readonly stdin?: string
  } = {},
): Promise<PythonRan> {
  return new Promise((resolve, reject) => {
    const child = spawn(PYTHON, words, {
      cwd: options.cwd ?? PYTHON_PACKAGE,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: '/home/dev',
        PYTHONPATH: join(PYTHON_PACKAGE, 'src'),
        PYTHONDONTWRITEBYTECODE: '1',
        ...options.env,
      },
    })
    const [out, err]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (exitCode) =>
      resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), exitCode }),
    )
    child.stdin.end(options.stdin ?? '')
  })
}

export interface PythonQuestion {
  readonly host: string
  readonly home: string
  readonly event: string
  readonly onFailure: 'deny' | 'pass'
  readonly payload: Buffer
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Seconds. */
  readonly deadline: number
  readonly isAsync: boolean
}

/** A Python process that asks, one question after the other, as a program that uses the package does. */
export function startPythonClient(): PythonClient {
  const child = spawn(PYTHON, [join(import.meta.dirname, 'ask.py')], {
    env: {
      PATH: process.env.PATH ?? '',
      PYTHONPATH: join(PYTHON_PACKAGE, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const askOne = async (question: PythonQuestion): Promise<PythonRan> => {
    const payload = question.payload.toString('base64')
    child.stdin.write(`${JSON.stringify({ ...question, payload })}\n`)
    const { value, done } = await answers.next()
    if (done === true) throw new Error('the Python process has ended')
    const { stdout, stderr, exitCode } = JSON.parse(value) as PythonRan
    const text = (encoded: string) => Buffer.from(encoded, 'base64').toString()
    return { stdout: text(stdout), stderr: text(stderr), exitCode }
  }
  return {
    ask(question) {
      const answer = last.then(() => askOne(question))
      last = answer.catch(() => undefined)
      return answer
    },
    pid: child.pid ?? 0,
    stop: () => child.stdin.end(),
  }
}

export interface PythonClient {
  ask(question: PythonQuestion): Promise<PythonRan>
  readonly pid: number
  stop(): void
}
