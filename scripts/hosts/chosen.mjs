// What a run of `npm run test:hosts` plays. A function from words and names, tested in test/gates.
import { AGENTS, ALWAYS, fileOf, filesInFull, IN_FULL } from './agents.mjs'

/**
 * @typedef {object} Chosen
 * @property {readonly string[]} files
 * @property {readonly string[] | undefined} inFull The agents in full depth; undefined: as HOLDPOINT_HOSTS says.
 * @property {readonly string[]} options for vitest
 * @property {string} [unknown] A word that names nothing.
 */

/**
 * Without names: every agent in short, and those that have changed in full. With names: these in full. With `--all`:
 * everything. Test files may be named too.
 *
 * @example
 * chosenBy(['copilot', '--bail', '1'], [])
 * // { files: ['test/hosts/agents/copilot.test.ts'], inFull: ['copilot'], options: ['--bail', '1'] }
 * @param {readonly string[]} words
 * @param {readonly string[]} changed
 * @returns {Chosen}
 */
export function chosenBy(words, changed) {
  const all = words.includes('--all')
  const rest = words.filter((word) => word !== '--all')
  const firstOption = rest.findIndex((word) => word.startsWith('-'))
  const names = firstOption === -1 ? rest : rest.slice(0, firstOption)
  const options = rest.slice(names.length)
  const paths = names.filter((name) => name.includes('/'))
  const agents = names.filter((name) => !name.includes('/'))
  const unknown = agents.find((name) => !AGENTS.includes(name))
  if (unknown !== undefined) return { files: [], inFull: [], options, unknown }
  if (all) {
    return { files: [...ALWAYS, ...AGENTS.map(fileOf), ...Object.keys(IN_FULL)], inFull: AGENTS, options }
  }
  if (paths.length > 0) return { files: paths, inFull: agents.length > 0 ? agents : undefined, options }
  if (agents.length > 0) return { files: unique(agents.flatMap(filesInFull)), inFull: agents, options }
  return {
    files: unique([...ALWAYS, ...AGENTS.map(fileOf), ...changed.flatMap(filesInFull)]),
    inFull: changed,
    options,
  }
}

/**
 * @param {readonly string[]} files
 * @returns {string[]}
 */
function unique(files) {
  return [...new Set(files)]
}
