import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * @typedef {object} Row
 * @property {string} family
 * @property {boolean} dangerous
 * @property {string} [command]
 * @property {object} [event]
 * @property {string} [cwd]
 * @property {string} [platform]
 */

/**
 * As corpora write it.
 * @typedef {object} Line
 * @property {string} [command]
 * @property {object} [event]
 * @property {string} [cwd]
 * @property {string} [platform]
 * @property {string} [expect]
 * @property {string} [expected]
 * @property {string} [category]
 */

/**
 * Every row of the corpus: its family, its input, and whether it must be stopped.
 * @param {string} root
 */
export function readCorpus(root) {
  const folder = join(root, 'test', 'corpus')
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
  return files
    .sort()
    .flatMap((file) => linesOf(join(folder, file)).map((row) => rowOf(row, basename(file, '.jsonl'))))
}

/**
 * Rows of another corpus: `expect` or `expected`, in families by their `category`.
 * @param {string} file
 */
export function readFile(file) {
  return linesOf(file).map((row) => rowOf(row, row.category ?? basename(file, '.jsonl')))
}

/**
 * @param {string} file
 * @returns {Line[]}
 */
function linesOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
}

/**
 * @param {Line} row
 * @param {string} family
 * @returns {Row}
 */
function rowOf(row, family) {
  const verdict = row.expect ?? row.expected
  return {
    family,
    dangerous: verdict !== 'pass' && verdict !== 'allow',
    ...(row.event === undefined ? { command: row.command ?? '' } : { event: row.event }),
    ...(row.cwd === undefined ? {} : { cwd: row.cwd }),
    ...(row.platform === undefined ? {} : { platform: row.platform }),
  }
}
