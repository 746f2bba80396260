/** The tests that belong to a name, for `npm test -- <name>`. A function from names and paths, tested in test/gates. */

const GUARD_OR_MODEL = /^src\/(?:policy\/packs|shell\/models)\/(?<id>.+)\.ts$/
/** Other suites with separate commands: `npm run test:long` and `npm run test:hosts`. */
const OTHER_SUITES = /^test\/(?:faults|hosts|long|native|parity|properties)\//

/**
 * The test files to run. A guard or a model has no test file of its own: the suite of its folder tests every guard or
 * model there, so `only` names those that it should test. All other names choose test files by path, as in vitest.
 *
 * @example
 * selectTests(['hard-reset'], paths)
 * // { files: ['src/policy/packs/safety/git/guards.test.ts'], only: ['safety/git/hard-reset'], unknown: [] }
 */
export function selectTests(names, paths) {
  const tests = paths.filter((path) => path.endsWith('.test.ts') && !OTHER_SUITES.test(path))
  const found = names.map((name) => ({
    name,
    byPath: tests.filter((path) => path.includes(name.replace(/^\.\//, ''))),
    bySuite: paths.filter((path) => isCalled(path, name)).flatMap((path) => suiteOf(path, tests)),
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

/** `force-push`, `git/force-push`, `safety/git/force-push` or the path of the file. */
function isCalled(path, name) {
  if (path.endsWith('.test.ts') || path.endsWith('.contract.ts')) return false
  const id = GUARD_OR_MODEL.exec(path)?.groups?.id
  return id !== undefined && (id === name || id.endsWith(`/${name}`) || path === name)
}

/** The suite in the nearest folder above, and its name for this guard or model. */
function suiteOf(path, tests) {
  const id = GUARD_OR_MODEL.exec(path)?.groups?.id ?? ''
  const isModel = path.startsWith('src/shell/models/')
  const names = isModel ? ['models.test.ts'] : ['guards.test.ts', 'pack.test.ts']
  for (let folder = path; folder.includes('/'); ) {
    folder = folder.slice(0, folder.lastIndexOf('/'))
    const file = names.map((name) => `${folder}/${name}`).find((each) => tests.includes(each))
    // A file inside the folder of a model is tested by the cases of that model: git/push.ts by those of git.ts.
    if (file !== undefined) return [{ file, id: isModel ? `${id.split('/')[0]}.ts` : id }]
  }
  return []
}
