// `npm run new program files/frob`: makes the files of a new member of a family, so that its tests pass at once.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KINDS } from './new/kinds.mjs'

const root = join(fileURLToPath(import.meta.url), '..', '..')

const [kind = '', ...words] = process.argv.slice(2)
/** @type {Readonly<Record<string, import('./new/kinds.mjs').NewSkeleton>>} */
const kinds = KINDS
const make = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
/** @type {import('./new/kinds.mjs').Skeleton} */
const {
  files = {},
  next = [],
  problem,
} = make === undefined
  ? { problem: `Say what to make: npm run new ${Object.keys(KINDS).join('|')} <name>` }
  : make(words, { read, list })

if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
spawnSync(process.execPath, [biome, 'check', '--write', ...Object.keys(files)], {
  cwd: root,
  stdio: 'ignore',
})
console.log([...Object.keys(files).map((path) => `wrote ${path}`), '', ...next].join('\n'))

/** @param {string} path */
function read(path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
}

/**
 * The files and folders in a folder, by their names.
 * @param {string} path
 */
function list(path) {
  return existsSync(join(root, path)) ? readdirSync(join(root, path)) : []
}
