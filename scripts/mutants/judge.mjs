// Runs tests again and again in one warm vitest, in the copy that `npm run mutants` made. It is killed if a mutant hangs.
import { createVitest } from 'vitest/node'

/**
 * @typedef {object} Question
 * @property {string} changed The file that is another one since the last question.
 * @property {readonly (readonly string[])[]} tests The files of each stage; a stage runs if the one before it passed.
 */
/**
 * @typedef {object} Verdict
 * @property {'passed' | 'failed' | 'timed out'} outcome
 * @property {string} why The first test that failed, or what went wrong.
 */

/** A test that waits for something that a mutant no longer does. */
const TEST_MAX_MS = 20_000

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  maxWorkers: 1,
  testTimeout: TEST_MAX_MS,
  hookTimeout: TEST_MAX_MS,
  reporters: [{}],
  // It would be written through the link to node_modules.
  cache: false,
  silent: true,
  passWithNoTests: false,
})
await vitest.standalone()
process.on('message', async (question) => {
  process.send?.(await judge(/** @type {Question} */ (question)))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })

/**
 * @param {Question} question
 * @returns {Promise<Verdict>}
 */
async function judge({ changed, tests }) {
  vitest.invalidateFile(changed)
  for (const files of tests) {
    if (files.length === 0) continue
    // What an earlier question found must not answer this one.
    vitest.state.filesMap.clear()
    vitest.state.idMap.clear()
    const specifications = await vitest.globTestSpecifications([...files])
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    const failures = testModules.flatMap((module) => [
      ...module.errors().map(({ message }) => ({ name: module.relativeModuleId, message })),
      ...[...module.children.allTests('failed')].map((test) => ({
        name: test.fullName,
        message: test.result().errors?.[0]?.message ?? '',
      })),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map(({ message }) => ({ name: suite.fullName, message })),
      ),
    ])
    const [first] = failures
    if (first !== undefined) {
      const isLate = /(?:Test|Hook) timed out in /.test(first.message)
      return { outcome: isLate ? 'timed out' : 'failed', why: first.name }
    }
    if (unhandledErrors.length > 0) return { outcome: 'failed', why: 'an error outside of a test' }
  }
  return { outcome: 'passed', why: '' }
}
