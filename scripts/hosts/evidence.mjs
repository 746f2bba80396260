// What a run of the tests with real agents showed becomes evidence: docs/hosts/evidence.json.
import { relative } from 'node:path'
import { fileOf, filesInFull } from './agents.mjs'
import { inputsHash, pinnedVersion } from './inputs.mjs'

/**
 * What Vitest's JSON reporter writes, as far as it is used here.
 * @typedef {{ testResults: readonly FileReport[] }} Report
 * @typedef {{ name: string, status: string, assertionResults: readonly TestReport[] }} FileReport
 * @typedef {{ status: string, meta?: { version?: string, seen?: Readonly<Record<string, string>> } }} TestReport
 *
 * By behaviour; `full` is the last run in full depth.
 * @typedef {Readonly<Record<string, object>>} AgentEvidence
 * @typedef {Readonly<Record<string, AgentEvidence>>} Evidence
 */

/**
 * The evidence after a run: what tests have seen, and which agents have passed everything in full depth.
 * @param {Evidence} before
 * @param {Report} report
 * @param {{ root: string, agents: readonly string[], on: string, exitCode: number }} run `agents`: those in full depth
 * @returns {{ evidence: Evidence, passed: readonly string[] }}
 */
export function withRun(before, report, { root, agents, on, exitCode }) {
  const byFile = new Map(
    report.testResults.map((result) => [relative(root, result.name).replaceAll('\\', '/'), result]),
  )
  // Something failed outside of all tests.
  const isDoubtful = exitCode !== 0 && report.testResults.every(hasPassed)
  const passed = agents.filter(
    (agent) => !isDoubtful && filesInFull(agent).every((file) => hasPassed(byFile.get(file))),
  )
  const changed = agents.map((agent) => {
    const tests = byFile.get(fileOf(agent))?.assertionResults ?? []
    const seen = tests.flatMap(({ meta: { version, seen = {} } = {} }) =>
      Object.entries(seen).map(([behaviour, words]) => [behaviour, { version, on, words }]),
    )
    const full = { version: pinnedVersion(root, agent), on, inputs: inputsHash(root, agent) }
    return [
      agent,
      {
        ...{ full: passed.includes(agent) ? full : before[agent]?.full },
        ...omitFull(before[agent]),
        ...Object.fromEntries(seen),
      },
    ]
  })
  return { evidence: { ...before, ...Object.fromEntries(changed) }, passed }
}

/** @param {AgentEvidence} [all] */
function omitFull({ full: _full, ...behaviours } = {}) {
  return behaviours
}

/**
 * Tests that were left out prove nothing.
 * @param {FileReport | undefined} file
 */
function hasPassed(file) {
  return (
    file?.status === 'passed' &&
    file.assertionResults.length > 0 &&
    file.assertionResults.every(({ status }) => status === 'passed')
  )
}
