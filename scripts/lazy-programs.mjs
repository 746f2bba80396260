// A command names a few of the programs that Holdpoint knows. In the built programs a file with some of them is run when
// one of its names is first asked for, not all files at the start. Which names a file has is worked out here.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { builtExports, builtModule } from './built-module.mjs'

const INDEX = 'src/shell/programs/index.ts'

/** @type {import('esbuild').Plugin} */
export const lazyPrograms = {
  name: 'lazy-programs',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]shell[\\/]programs[\\/]index\.ts$/ }, async ({ path }) => {
      const { files, rows } = await tableOf(path)
      const contents = [
        `import { lazyTable } from './lazy-table.ts'`,
        ...files.map(loader),
        `export const PROGRAMS = lazyTable([${rows.map(({ names, place }) => `[' ${names.join(' ')} ',load${place}]`)}])`,
        // What asks the table stays as it is.
        readFileSync(path, 'utf8').split(/^export const PROGRAMS[\s\S]*?^\)\n/m)[1],
      ]
      return { contents: contents.join('\n'), loader: 'ts', resolveDir: dirname(path) }
    })
  },
}

/**
 * `__now` is for scripts/chunks.mjs: the file is run at once, not in a promise.
 * @param {ProgramFile} file
 * @param {number} place
 */
function loader({ path, tables }, place) {
  const spread = tables.map((table) => `...file.${table}`)
  return `const load${place}=()=>{const file=__now(import('./${path}'));return{${spread}}}`
}

/** @typedef {{ readonly path: string, readonly tables: readonly string[] }} ProgramFile */

/**
 * The files with programs; and the names in the order of the table, in which names that only may be meant are found.
 * @param {string} index
 */
async function tableOf(index) {
  const { PROGRAMS } = await builtModule(INDEX)
  /** @type {ProgramFile[]} */
  const files = []
  /** @type {Map<unknown, number>} */
  const places = new Map()
  for (const file of importsOf(INDEX).flatMap(importsOf)) {
    /** @param {readonly [string, unknown]} exported */
    const isTable = ([, value]) =>
      Object.entries(value ?? {}).some(([names, program]) => PROGRAMS.get(firstOf(names)) === program)
    const tables = Object.entries(await builtExports(file)).filter(isTable)
    for (const program of tables.flatMap(([, table]) => Object.values(table ?? {})))
      places.set(program, files.length)
    files.push({ path: relative(dirname(INDEX), file), tables: tables.map(([name]) => name) })
  }
  /** @type {{ names: string[], place: number }[]} */
  const rows = []
  for (const [name, program] of PROGRAMS) {
    const place = places.get(program)
    if (place === undefined) throw new Error(`${index}: no file of a family has the program ${name}`)
    const last = rows.at(-1)
    if (last?.place === place) last.names.push(name)
    else rows.push({ names: [name], place })
  }
  return { files, rows }
}

/** @param {string} path */
function importsOf(path) {
  const found = readFileSync(path, 'utf8').matchAll(/^import \{[^}]*\} from '(\.\.?\/[^']+)'/gm)
  return [...found]
    .map(([, from = '']) => join(dirname(path), from))
    .filter((file) => file.includes('programs'))
}

/**
 * The first of the names of a program.
 * @param {string} names
 */
function firstOf(names) {
  return names.slice(0, `${names} `.search(/\s/))
}
