// What dist/ is built from, in one place for the build, for what must not build again, and for the release.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** Files and folders, each with the names in it that count. Scripts are found by what the build imports. */
const SOURCES = new Map([
  // Code, the declarations of the packages' types, and the browser's part of the board. Tests are in no file of dist/.
  ['src', /(?<!\.test)\.tsx?$|\.(?:css|html|svg)$|[\\/]tsconfig\.json$/],
  ['bin', /\.ts$/],
  ['packages/fleet/src', /(?<!\.test)\.ts$/],
  ['native', /\.[ch]$/],
  ['package.json', /./],
  ['package-lock.json', /./],
  ['tsconfig.json', /./],
  ['tsconfig.build.json', /./],
])
const BUILD = 'scripts/build.mjs'
const IMPORT = /\b(?:from|import\(?) *'(\.\.?\/[^']+\.mjs)'/g
/** Next to the output of the build, and removed with it when the next build starts. */
const NOTE = join('build', 'built-from')

/**
 * Every file that affects the output of the build, as a path from the root of the repository.
 * @param {string} root
 */
export function sourcesOf(root) {
  const files = [...SOURCES].flatMap(([source, counts]) =>
    filesBelow(root, source).filter((file) => counts.test(file)),
  )
  return [...files, ...importedBy(root, BUILD)].sort()
}

/**
 * Version and hash of the sources, built into every program: a daemon of another build is replaced.
 * @param {string} root
 */
export function buildId(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const hash = createHash('sha256')
  for (const file of sourcesOf(root)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return `${version}+${hash.digest('hex').slice(0, 12)}`
}

/**
 * Notes that the build is complete: what it was built from, and the files that it made.
 * @param {string} root
 * @param {string} id what `buildId` said before the build
 * @param {readonly string[]} made
 */
export function noteBuilt(root, id, made) {
  mkdirSync(join(root, dirname(NOTE)), { recursive: true })
  writeFileSync(join(root, NOTE), [id, ...made, ''].join('\n'))
}

/**
 * Whether a build finished, all its files are there, and none of its sources has changed since.
 * @param {string} root
 */
export function isBuilt(root) {
  const note = join(root, NOTE)
  if (!existsSync(note)) return false
  const [id, ...made] = readFileSync(note, 'utf8').trimEnd().split('\n')
  return made.every((file) => existsSync(join(root, file))) && id === buildId(root)
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
export function filesBelow(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length).split(sep).join('/'))
}

/**
 * A script and the scripts that it imports.
 * @param {string} root
 * @param {string} script
 * @param {Set<string>} found
 */
function importedBy(root, script, found = new Set()) {
  if (found.has(script) || !existsSync(join(root, script))) return found
  found.add(script)
  for (const [, from = ''] of readFileSync(join(root, script), 'utf8').matchAll(IMPORT)) {
    importedBy(root, join(dirname(script), from).split(sep).join('/'), found)
  }
  return found
}
