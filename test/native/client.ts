import { execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The native client, built and started like an agent starts it, in a home whose Node side is a script of the test. */

/** For long.mjs: every client of a test under valgrind, whose exit code for an error is no answer of any test. */
const VALGRIND =
  process.env.HOLDPOINT_VALGRIND === '1'
    ? ['valgrind', '-q', '--leak-check=full', '--errors-for-leak-kinds=definite', '--error-exitcode=99']
    : []

const ROOT = join(import.meta.dirname, '..', '..')

/** Fails loudly without a compiler: whoever changes the client must be able to build it. */
export function buildClient(
  variant: 'release' | 'debug' | 'sanitize',
  define: readonly string[] = [],
): string {
  const outFile = join(mkdtempSync(join(tmpdir(), 'holdpoint-client-')), 'holdpoint-hook')
  const script = join(ROOT, 'scripts', 'build-native.mjs')
  // Valgrind and the sanitizers do not bear each other.
  const kind = VALGRIND.length > 0 && variant === 'sanitize' ? 'debug' : variant
  const said = execFileSync(process.execPath, [script, outFile, kind, ...define], { encoding: 'utf8' })
  if (!existsSync(outFile)) throw new Error(`The native client was not built: ${said}`)
  return outFile
}

export function removeClient(client: string): void {
  rmSync(dirname(client), { recursive: true, force: true })
}

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

export interface RunOptions {
  readonly stdin?: string | Buffer
  /** Leave standard input open. */
  readonly open?: boolean
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdio?: StdioOptions
  /** Words before the client's own: a program that starts it in some way. */
  readonly through?: readonly string[]
  /** Nobody reads standard output any more. */
  readonly deaf?: boolean
}

/** What the sanitizers say must not look like an answer of the client. */
const SANITIZERS = { ASAN_OPTIONS: 'exitcode=99', UBSAN_OPTIONS: 'exitcode=99:print_stacktrace=1' }

export function run(client: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const [program = client, ...words] = [...(options.through ?? []), ...VALGRIND, client, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: options.cwd ?? '/',
      env: { PATH: process.env.PATH ?? '', ...SANITIZERS, ...options.env },
      stdio: options.stdio ?? ['pipe', 'pipe', 'pipe'],
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    if (options.deaf === true) child.stdout?.destroy()
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin?.on('error', () => {})
    child.on('error', reject)
    child.on('close', (exitCode) => {
      child.stdin?.destroy()
      const stderr = Buffer.concat(err).toString('latin1')
      if (/Sanitizer|runtime error/.test(stderr)) reject(new Error(stderr))
      else resolve({ stdout: Buffer.concat(out).toString('latin1'), stderr, exitCode })
    })
    if (options.open === true) child.stdin?.write(options.stdin ?? '')
    else child.stdin?.end(options.stdin ?? '')
  })
}

export interface ClientHome {
  readonly path: string
  readonly run: string
  /** The words of an installed entry. */
  args(onFailure?: 'deny' | 'pass', deadlineMs?: number): readonly string[]
  /** Replaces what stands for Node: a script that gets `hook` or `daemon` as its first word. */
  program(text: string): void
  /** What the scripts of this home wrote down, or undefined. */
  noted(name: string): string | undefined
  remove(): void
}

/** What the one-shot of these homes answers: how much it was given to read. */
export function oneShot(inputBytes: number): Ran {
  return { stdout: `one-shot ${inputBytes}\n`, stderr: '', exitCode: 3 }
}

/** Its daemon only leaves a line each time it is started. */
export function createHome(name = 'home'): ClientHome {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-native-'))
  const path = join(folder, name)
  mkdirSync(join(path, 'run'), { recursive: true, mode: 0o700 })
  mkdirSync(join(path, 'bin'))
  // Written by a process of its own: were it open here while another thread forks, starting it would fail as busy.
  const program = (text: string) => {
    const file = join(path, 'bin', 'holdpoint-node')
    execFileSync('/bin/sh', ['-c', 'cat > "$0" && chmod 755 "$0"', file], { input: text })
  }
  program(`#!/bin/sh
if [ "$1" = daemon ]; then echo started >> '${path}/daemon'; exit; fi
echo "one-shot $(wc -c | tr -d ' ')"
exit 3
`)
  return {
    path,
    run: join(path, 'run'),
    args: (onFailure = 'deny', deadlineMs = 200_000) => [
      'claude-code',
      ...['--home', path, '--event', 'PreToolUse', '--on-failure', onFailure],
      ...['--deadline-ms', `${deadlineMs}`],
    ],
    program,
    noted: (file) => (existsSync(join(path, file)) ? readFileSync(join(path, file), 'utf8') : undefined),
    remove: () => {
      // Out of reach first: a daemon that was just started may still want to write into it.
      renameSync(folder, `${folder}.gone`)
      rmSync(`${folder}.gone`, { recursive: true, force: true })
    },
  }
}
