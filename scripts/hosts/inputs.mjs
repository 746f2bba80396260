// What the evidence about an agent depends on, as one hash. It is compared with the hash that docs/hosts/evidence.json has
// of the last run in full depth: no dates, no history of git.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from '../build-id.mjs'
import { PACKAGES } from './agents.mjs'

/** Plugins that agents load into their own process; the others start a program. */
const PLUGINS = 'src/adapters/client/plugins'
/** @type {Readonly<Record<string, string>>} */
const PLUGIN_OF = {
  opencode: `${PLUGINS}/opencode.ts`,
  kilo: `${PLUGINS}/opencode.ts`,
  pi: `${PLUGINS}/pi.ts`,
  openclaw: `${PLUGINS}/openclaw.ts`,
  cline: `${PLUGINS}/cline.ts`,
}

/**
 * What is imported from elsewhere, such as src/core, all agents share: it says nothing about one of them. Nor do the
 * readers of JSON texts, which have tests of their own.
 */
const COUNTED = /^src\/(?:hosts\/(?!json-text\.ts|strict-json\.ts)|adapters\/client\/plugins\/)/
/** Types are checked by the compiler. */
const IMPORT =
  /^(?:import|export)(?! type\b)[^'"]*?from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm
const TESTS = /\.(?:test|contract)\.ts$/

/**
 * The folder of the agent with its recorded payloads, and what its code imports from the dialects, as paths from the root.
 * @param {string} root
 * @param {string} agent
 * @returns {string[]}
 */
export function inputFiles(root, agent) {
  const own = filesBelow(root, `src/hosts/${agent}`).filter((file) => !TESTS.test(file))
  const plugin = PLUGIN_OF[agent]
  const found = new Set(own)
  for (const file of [...own, ...(plugin === undefined ? [] : [plugin])]) follow(root, file, found)
  return [...found].sort()
}

/**
 * @param {string} root
 * @param {string} agent
 */
export function inputsHash(root, agent) {
  const hash = createHash('sha256').update(pinnedVersion(root, agent))
  for (const file of inputFiles(root, agent)) {
    // A checkout may have other line endings.
    const text = readFileSync(join(root, file), 'latin1').replaceAll('\r\n', '\n')
    hash.update(`\0${file}\0`).update(text, 'latin1')
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * Of the program that the tests start.
 * @param {string} root
 * @param {string} agent
 */
export function pinnedVersion(root, agent) {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'test/hosts/package.json'), 'utf8'),
  )
  return String({ ...dependencies, ...optionalDependencies }[PACKAGES[agent] ?? ''])
}

/**
 * @typedef {object} FullRun The last run of an agent in full depth in which everything passed.
 * @property {string} version of the pinned package
 * @property {string} on the day
 * @property {string} inputs
 */

/**
 * The agents that have changed since their last run in full depth.
 * @param {string} root
 * @param {readonly string[]} agents
 * @returns {string[]}
 */
export function changedAgents(root, agents = Object.keys(PACKAGES)) {
  /** @type {Readonly<Record<string, { readonly full?: FullRun }>>} */
  const evidence = JSON.parse(readFileSync(join(root, 'docs/hosts/evidence.json'), 'utf8'))
  return agents.filter((agent) => evidence[agent]?.full?.inputs !== inputsHash(root, agent))
}

/**
 * Adds a file, and the counted files that it imports.
 * @param {string} root
 * @param {string} file
 * @param {Set<string>} found
 * @param {Set<string>} read
 */
function follow(root, file, found, read = new Set()) {
  if (read.has(file) || !existsSync(join(root, file))) return
  read.add(file)
  found.add(file)
  if (!file.endsWith('.ts')) return
  for (const [, ...names] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
    const path = join(dirname(file), names.find((name) => name !== undefined) ?? '').replaceAll('\\', '/')
    if (COUNTED.test(path)) follow(root, path, found, read)
  }
}
