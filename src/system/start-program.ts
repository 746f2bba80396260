import { spawn } from 'node:child_process'

export interface Started {
  readonly stdout: string
  readonly stderr: string
  /** Null if it could not be started or was ended by a signal. */
  readonly exitCode: number | null
}

export interface StartOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly input: string
  readonly timeoutMs: number
}

/** Runs one of Holdpoint's programs to its end, as an agent would: for probes and the demo. */
export function startProgram(file: string, args: readonly string[], options: StartOptions): Promise<Started> {
  return new Promise((resolve) => {
    const { cwd, env, timeoutMs } = options
    const child = spawn(file, args, { cwd, env, timeout: timeoutMs, killSignal: 'SIGKILL' })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', (error) => resolve({ stdout, stderr: error.message, exitCode: null }))
    child.on('close', (exitCode) => resolve({ stdout, stderr, exitCode }))
    child.stdin.on('error', () => {})
    child.stdin.end(options.input)
  })
}
