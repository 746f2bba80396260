import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{ readonly time: string, readonly load: string }} Tools */

const FLAGS = ['-std=c11', '-O2', '-Wall', '-Wextra']

/**
 * The timing program and the load generator, compiled into a folder; undefined if there is no compiler. They
 * are in C because a tool that measures milliseconds must not cost one.
 * @param {string} folder
 * @returns {Tools | undefined}
 */
export function buildTools(folder) {
  mkdirSync(folder, { recursive: true })
  for (const compiler of [process.env.CC, 'cc', 'gcc', 'clang']) {
    if (!compiler) continue
    const [time, load] = ['time', 'load'].map((name) => build(compiler, name, join(folder, name)))
    if (time !== undefined && load !== undefined) return { time, load }
  }
  return undefined
}

/**
 * @param {string} compiler
 * @param {string} name
 * @param {string} outFile
 */
function build(compiler, name, outFile) {
  const source = join(import.meta.dirname, `${name}.c`)
  const { status } = spawnSync(compiler, [...FLAGS, source, '-o', outFile], { stdio: 'ignore' })
  return status === 0 ? outFile : undefined
}

/**
 * Runs one of them; it prints lines of numbers.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ readonly env?: NodeJS.ProcessEnv, readonly cwd?: string }} [options]
 */
export function numbersFrom(program, args, options = {}) {
  const text = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...options })
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
}

/**
 * The same, of one that prints a single line.
 * @type {typeof numbersFrom extends (...given: infer Given) => unknown ? (...given: Given) => number[] : never}
 */
export function lineFrom(program, args, options) {
  return numbersFrom(program, args, options)[0] ?? []
}
