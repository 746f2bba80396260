// `npm run test:hosts`: tests with the real agent programs. Each agent in short, and in full depth those whose folder,
// dialect, recorded payloads or version has changed since they were last tried so: docs/hosts/evidence.json.
//
//   npm run test:hosts -- --all                every agent in full depth
//   npm run test:hosts -- claude-code codex    these in full depth, and no others
//   npm run test:hosts -- <test file> …        these files
//   npm run test:hosts -- --install            only installs the programs
//
// With HOLDPOINT_WRITE_EVIDENCE=1, what a run in full depth showed is written to docs/hosts/evidence.json. Options after the
// names go to vitest.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AGENTS } from './hosts/agents.mjs'
import { chosenBy } from './hosts/chosen.mjs'
import { withRun } from './hosts/evidence.mjs'
import { changedAgents } from './hosts/inputs.mjs'
import { isInstalled } from './hosts/installed.mjs'
import { step } from './step.mjs'

const root = join(import.meta.dirname, '..')
const EVIDENCE = join(root, 'docs', 'hosts', 'evidence.json')
const programs = join(root, 'test', 'hosts')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const words = process.argv.slice(2)
const isWriting = process.env.HOLDPOINT_WRITE_EVIDENCE === '1' || process.env.HOLDPOINT_WRITE_DOCS === '1'

if (!isInstalled(programs)) step('npm', ['ci', '--prefix', 'test/hosts'])
if (!words.includes('--install')) play()

function play() {
  const changed = changedAgents(root)
  const { files, inFull, options, unknown } = chosenBy(words, changed)
  if (unknown !== undefined) {
    console.error(`There is no agent "${unknown}". Name one of these, or a test file: ${AGENTS.join(', ')}.`)
    process.exit(2)
  }
  step(process.execPath, [join('scripts', 'built.mjs')])
  const full = inFull ?? process.env.HOLDPOINT_HOSTS?.split(',') ?? AGENTS
  for (const agent of full.filter((each) => changed.includes(each)))
    console.log(`${agent} has changed since it was last tried in full depth.`)
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-report-'))
  try {
    const report = join(folder, 'report.json')
    const { status } = spawnSync(
      process.execPath,
      [vitest, 'run', '--config', 'vitest.hosts.config.ts', ...files, ...options],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, HOLDPOINT_HOSTS: full.join(','), HOLDPOINT_HOSTS_REPORT: report },
      },
    )
    const exitCode = status ?? 1
    process.exitCode = exitCode
    if (isWriting) write(report, full, exitCode)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} report
 * @param {readonly string[]} full
 * @param {number} exitCode
 */
function write(report, full, exitCode) {
  const before = JSON.parse(readFileSync(EVIDENCE, 'utf8'))
  const on = new Date().toISOString().slice(0, 10)
  const { evidence, passed } = withRun(before, JSON.parse(readFileSync(report, 'utf8')), {
    root,
    agents: full,
    on,
    exitCode,
  })
  writeFileSync(EVIDENCE, `${JSON.stringify(evidence, null, 2)}\n`)
  console.log(`Passed in full depth, and written as evidence: ${passed.join(', ') || 'none'}.`)
  // The pages that are made from it.
  step(process.execPath, [vitest, 'run', 'test/gates/evidence.test.ts', '--silent'], {
    HOLDPOINT_WRITE_DOCS: '1',
  })
}
