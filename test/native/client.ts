import { execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The native client, built, and started as an agent starts it. In its home, a script of the test replaces Node. */

/**
 * For long.mjs: the same cases with another client than the one with sanitizers. `valgrind` runs every client under
 * valgrind, with an exit code for errors that no test expects. `release` is the static program that users get. `arm64`
 * is that program for Linux on arm64, under qemu-user.
 */
const KIND = process.env.HOLDPOINT_NATIVE_CLIENT ?? 'sanitize'
const THROUGH: Readonly<Record<string, readonly string[]>> = {
  valgrind: [
    'valgrind',
    '-q',
    '--leak-check=full',
    '--errors-for-leak-kinds=definite',
    '--error-exitcode=99',
  ],
  arm64: ['qemu-aarch64'],
}

const ROOT = join(import.meta.dirname, '..', '..')

/** Fails without a compiler, because a change of the client must be tested. */
export function buildClient(
  variant: 'release' | 'debug' | 'sanitize',
  define: readonly string[] = [],
): string {
  const outFile = join(mkdtempSync(join(tmpdir(), 'holdpoint-client-')), 'holdpoint-hook')
  const script = join(ROOT, 'scripts', 'build-native.mjs')
  const target = KIND === 'arm64' ? ['--target', 'linux-arm64'] : []
  execFileSync(process.execPath, [script, outFile, variantOf(variant), ...define, ...target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (!existsSync(outFile)) throw new Error('The native client was not built: see standard error.')
  built.add(outFile)
  return outFile
}

/** Clients made by `buildClient`, as opposed to other programs that tests run. */
const built = new Set<string>()

/** Valgrind and the sanitizers exclude each other, and there are no sanitizers under qemu-user. */
function variantOf(variant: 'release' | 'debug' | 'sanitize') {
  if (variant !== 'sanitize' || KIND === 'sanitize') return variant
  return KIND === 'valgrind' ? 'debug' : 'release'
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
  /** Arguments before the client's own: a program that starts the client. */
  readonly through?: readonly string[]
  /** Close the reading end of standard output. */
  readonly deaf?: boolean
}

/** Output of the sanitizers must not look like an answer of the client. */
const SANITIZERS = { ASAN_OPTIONS: 'exitcode=99', UBSAN_OPTIONS: 'exitcode=99:print_stacktrace=1' }

export function run(client: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const wrapper = built.has(client) ? (THROUGH[KIND] ?? []) : []
  const [program = client, ...words] = [...(options.through ?? []), ...wrapper, client, ...args]
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
  /** The arguments of an installed hook. */
  args(onFailure?: 'deny' | 'pass', deadlineMs?: number): readonly string[]
  /** Replaces the script that is used instead of Node. Its first argument is `hook` or `daemon`. */
  program(text: string): void
  /** A file that a script of this home wrote, or undefined. */
  noted(name: string): string | undefined
  remove(): void
}

/** The answer of the one-shot in these homes: the number of bytes that it could read. */
export function oneShot(inputBytes: number): Ran {
  return { stdout: `one-shot ${inputBytes}\n`, stderr: '', exitCode: 2 }
}

/** The daemon of this home only writes a line each time it is started. */
export function createHome(name = 'home'): ClientHome {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-native-'))
  const path = join(folder, name)
  mkdirSync(join(path, 'run'), { recursive: true, mode: 0o700 })
  mkdirSync(join(path, 'bin'))
  // Written by another process: if it were open here while another thread forks, starting it would fail with EBUSY.
  const program = (text: string) => {
    const file = join(path, 'bin', 'holdpoint-node')
    execFileSync('/bin/sh', ['-c', 'cat > "$0" && chmod 755 "$0"', file], { input: text })
  }
  program(`#!/bin/sh
if [ "$1" = daemon ]; then echo started >> '${path}/daemon'; exit; fi
echo "one-shot $(wc -c | tr -d ' ')"
exit 2
`)
  return {
    path,
    run: join(path, 'run'),
    args: (onFailure = 'deny', deadlineMs = 200_000) =>
      [
        ['claude-code', '--home', path, '--event', 'PreToolUse'],
        ['--on-failure', onFailure],
        ['--deadline-ms', `${deadlineMs}`],
      ].flat(),
    program,
    noted: (file) => (existsSync(join(path, file)) ? readFileSync(join(path, file), 'utf8') : undefined),
    remove: () => {
      // Renamed first, because a daemon that was just started may still write into it.
      renameSync(folder, `${folder}.gone`)
      rmSync(`${folder}.gone`, { recursive: true, force: true })
    },
  }
}
