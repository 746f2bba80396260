import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

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
