import { describe, expect, test } from 'vitest'
import { checkRooms } from './check-rooms.ts'
import { ROOMS } from './rooms.ts'
import { readTree } from './tree.ts'

const files = readTree(['src'], (path) => /\.tsx?$/.test(path))

test('every file follows the table of rooms', () => {
  expect(files.size).toBeGreaterThan(500)
  expect(checkRooms(files)).toEqual([])
})

test('every folder in the root of src has a row, and every row has a folder', () => {
  const folders = new Set(
    [...files.keys()].map((path) => path.split('/')[1] ?? '').filter((name) => !name.includes('.')),
  )
  expect([...new Set(ROOMS.map(({ folder }) => folder.split('/')[0]))].sort()).toEqual([...folders].sort())
  expect(folders.size).toBeLessThanOrEqual(14)
  for (const { folder } of ROOMS) {
    expect(
      [...files.keys()].some((path) => path.startsWith(`src/${folder}/`)),
      folder,
    ).toBe(true)
  }
})

/** One violation for each line: the file | its text | the rule that must find it. */
const BREACHES = `
src/core/engine/decide.ts | const now = Date.now() | clock
src/app/record.ts | const now = Date.now() | clock
src/core/engine/fit-to-host.ts | import { readFileSync } from 'node:fs' | files
src/core/engine/build-commit.ts | const id = Math.random() | chance
src/core/engine/stop-budget.ts | import { spawn } from 'node:child_process' | process
src/hosts/claude-code/install.ts | import { readFileSync } from 'node:fs' | files
src/shell/walk.ts | import { pack } from '../policy/packs/safety/pack.ts' | order
src/policy/packs/self/pack.ts | import { run } from '../../../handlers/run-line.ts' | order
src/core/state/fold.ts | import { buildPlan } from '../plan/plan.ts' | order
src/system/home.ts | import { createResponder } from '../app/responder.ts' | order
src/system/modules/pool.ts | const id = Math.random() | chance
src/storage/journal/ingest.ts | import { runDaemon } from '../../daemon/daemon.ts' | order
src/daemon/daemon.ts | import { main } from '../commands/main.ts' | order
src/hosts/codex/decode.ts | import { findProject } from '../../system/project.ts' | order
src/core/shell-tools.ts | import { homeLayout } from '../system/home.ts' | order
src/policy/metrics/fold.ts | import { appendFileSync } from 'node:fs' | files
src/policy/completion/check.ts | import { statSync } from 'node:fs' | files
src/policy/handoff/contract.ts | import { readFileSync } from 'node:fs' | files
src/policy/mux/polling.ts | import { statSync } from 'node:fs' | files
src/adapters/mcp/gate.ts | const home = process.env.HOME | environment
src/core/engine/evaluate.ts | import { monotonicMs } from '../../system/clock.ts' | order
src/core/hook.ts | import { z } from './plan/plan.ts' | order
src/core/formats/massgen-event.ts | new Date() | clock
src/core/redact/mask.ts | import { createHash } from 'node:crypto' | computes
src/core/match/glob.ts | import { join } from 'node:path' | computes
src/core/plan/plan.ts | setTimeout(f, 1) | timers
src/policy/analysis/shell-of.ts | fetch('x') | network
src/storage/state/file-state.ts | import { createServer } from 'node:net' | network
src/storage/sqlite/connection.ts | import { readFileSync } from 'node:fs' | files
src/config/sources/source.ts | import 'node:fs' | files
src/config/bundle/accept.ts | const now = Date.now() | clock
src/config/compile.ts | import { writeFileSync } from 'node:fs' | files
src/handlers/rule/handler.ts | const x = performance.now() | clock
src/handlers/http/kind.ts | import { post } from './post.ts' | order
src/handlers/command/kind.ts | import { spawn } from 'node:child_process' | process
src/handlers/kind-of.ts | import { kind } from './rule/kind.ts' | member
src/library/runtime.ts | process.stdout.write('x') | terminal
src/adapters/ai/gate.ts | import { readFileSync } from 'node:fs' | files
src/adapters/massgen/config.ts | Math.random() | chance
src/adapters/client/plugin-answer.ts | import { readFileSync } from 'node:fs' | files
src/tools/lint/lint.ts | import { readFileSync } from 'node:fs' | files
src/tools/adopt/choose.ts | import { homeLayout } from '../../system/home.ts' | pure
src/tools/mux/verify.ts | const x = new Date() | clock
src/tools/report/sections.ts | import { readFileSync } from 'node:fs' | files
src/tools/policy-tests/compare.ts | process.exit(1) | terminal
src/tools/check/judge-rows.ts | import { readFileSync } from 'node:fs' | files
src/tools/explain/explained.ts | import { readFileSync } from 'node:fs' | files
src/tools/status/guarded.ts | const x = Date.now() | clock
src/tools/history/decide-call.ts | const x = Date.now() | clock
src/tools/scan/report.ts | import { readFileSync } from 'node:fs' | files
src/tools/replay/diff.ts | import { readFileSync } from 'node:fs' | files
src/tools/audit/compare.ts | import { readFileSync } from 'node:fs' | files
src/tools/suggest/proposals.ts | import { readFileSync } from 'node:fs' | files
src/tools/fleet-board/pages.ts | import { readFileSync } from 'node:fs' | files
src/tools/bundle/publish.ts | const now = Date.now() | clock
src/daemon/fleet/fetch-bundle.ts | const now = Date.now() | clock
src/tools/generated.ts | import { readFileSync } from 'node:fs' | files
src/tools/board/routes.ts | import { readFileSync } from 'node:fs' | files
src/tools/board/web/format.ts | fetch('x') | network
src/tools/board/web/layout.tsx | import { createReader } from '../reader.ts' | pure
src/commands/main.ts | process.chdir('/') | chdir
src/commands/status.ts | process.exitCode = 1 | terminal
src/commands/status.ts | const home = process.env.HOME | environment
src/app/responder.ts | import { host } from '../hosts/codex/host.ts' | member
src/core/engine/combine.ts | import { HOSTS } from '../../hosts/index.ts' | order
src/system/probe.ts | import { INSTALLERS } from '../hosts/installers.ts' | table
src/commands/test.ts | import { x } from './x.test.ts' | tests
src/somewhere/x.ts | export {} | place
src/loose.ts | export {} | place
`
  .trim()
  .split('\n')
  .map((row) => row.split(' | '))

describe('a violation of the table', () => {
  test.each(BREACHES)('in %s is found: %s', (file = '', text = '', rule = '') => {
    const found = checkRooms(new Map([[file, `${text}\n${files.get(file) ?? ''}`]]))
    expect(found.filter((complaint) => complaint.startsWith(`${file}:1 [${rule}]`))).toHaveLength(1)
  })

  test('is tested for every row of the table', () => {
    const seeded = BREACHES.map(([file = '']) => file)
    const rows = ROOMS.map(({ folder }) => folder).filter(
      (folder) => !seeded.some((file) => file.startsWith(`src/${folder}/`)),
    )
    expect(rows).toEqual([])
  })
})
