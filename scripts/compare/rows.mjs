import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Every row of the corpus: its family, its input, and whether it must be stopped. */
export function readCorpus(root) {
  const folder = join(root, 'test', 'corpus')
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
  return files
    .sort()
    .flatMap((file) => linesOf(join(folder, file)).map((row) => rowOf(row, basename(file, '.jsonl'))))
}

/** Rows of another corpus: `expect` or `expected`, in families by their `category`. */
export function readFile(file) {
  return linesOf(file).map((row) => rowOf(row, row.category ?? basename(file, '.jsonl')))
}

function linesOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
}

function rowOf(row, family) {
  const verdict = row.expect ?? row.expected
  return {
    family,
    dangerous: verdict !== 'pass' && verdict !== 'allow',
    ...(row.event === undefined ? { command: row.command } : { event: row.event }),
    ...(row.cwd === undefined ? {} : { cwd: row.cwd }),
  }
}
