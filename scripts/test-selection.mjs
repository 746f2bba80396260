// The tests that belong to a name, for `npm test -- <name>`. A function from names and paths, tested in test/gates.

/**
 * @typedef {object} TestSelection
 * @property {readonly string[]} files
 * @property {readonly string[]} only The guards and models that suites should test; empty: all.
 * @property {readonly string[]} unknown Names that nothing matches.
 */

const GUARD_OR_PROGRAM = /^src\/(?:policy\/packs|shell\/programs)\/(?<id>.+)\.ts$/
/** Other suites with separate commands: `npm run test:long` and `npm run test:hosts`. */
const OTHER_SUITES =
  /^test\/(?:differential|faults|hosts|long|native|package|parity|properties|python)\/|\.long\.test\.ts$/

/**
 * The test files to run. A guard or a program has no test file of its own: the suite of its folder tests every guard or
 * program there, so `only` names those that it should test. All other names choose test files by path, as in vitest.
 *
 * @example
 * selectTests(['hard-reset'], paths)
 * // { files: ['src/policy/packs/safety/git/guards.test.ts'], only: ['safety/git/hard-reset'], unknown: [] }
 * @param {readonly string[]} names
 * @param {readonly string[]} paths every file of src and test
 * @returns {TestSelection}
 */
export function selectTests(names, paths) {
  const tests = paths.filter((path) => path.endsWith('.test.ts') && !OTHER_SUITES.test(path))
  const found = names.map((name) => ({
    name,
    byPath: tests.filter((path) => path.includes(name.replace(/^\.\//, ''))),
    bySuite: paths.filter((path) => isCalled(path, name)).flatMap((path) => suiteOf(path, tests, paths)),
  }))
  const byPath = found.flatMap((each) => each.byPath)
  const bySuite = found.flatMap((each) => each.bySuite)
  return {
    files: [...new Set([...byPath, ...bySuite.map(({ file }) => file)])],
    // A suite that was chosen by its path runs completely.
    only: bySuite.some(({ file }) => byPath.includes(file)) ? [] : [...new Set(bySuite.map(({ id }) => id))],
    unknown: found.filter((each) => each.byPath.length + each.bySuite.length === 0).map(({ name }) => name),
  }
}

/**
 * `force-push`, `git/force-push`, `safety/git/force-push` or the path of the file.
 * @param {string} path
 * @param {string} name
 */
function isCalled(path, name) {
  if (/\.(?:test|contract|fixture|cases)\.ts$/.test(path)) return false
  const id = GUARD_OR_PROGRAM.exec(path)?.groups?.id
  return id !== undefined && (id === name || id.endsWith(`/${name}`) || path === name)
}

/**
 * The suite in the nearest folder above, and its name for this guard, or for the files of programs.
 * @param {string} path
 * @param {readonly string[]} tests
 * @param {readonly string[]} paths
 */
function suiteOf(path, tests, paths) {
  const id = GUARD_OR_PROGRAM.exec(path)?.groups?.id ?? ''
  if (path.startsWith('src/shell/programs/')) {
    return casesOf(path, paths).map((file) => ({ file: 'src/shell/programs/programs.test.ts', id: file }))
  }
  for (let folder = path; folder.includes('/'); ) {
    folder = folder.slice(0, folder.lastIndexOf('/'))
    const names = [`${folder}/guards.test.ts`, `${folder}/pack.test.ts`]
    const file = names.find((each) => tests.includes(each))
    if (file !== undefined) return [{ file, id }]
  }
  return []
}

/**
 * A program has cases beside it. A file that programs share is tested by all cases of its family: git/push.ts.
 * @param {string} path
 * @param {readonly string[]} paths
 */
function casesOf(path, paths) {
  const own = path.replace(/\.ts$/, '.cases.ts')
  const family = path.slice(0, path.lastIndexOf('/') + 1)
  const cases = paths.includes(own)
    ? [own]
    : paths.filter((each) => each.startsWith(family) && each.endsWith('.cases.ts'))
  return cases.map((each) => each.slice('src/shell/programs/'.length, -'.cases.ts'.length))
}
