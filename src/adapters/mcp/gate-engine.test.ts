import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LoadedPlan } from '../../app/load-plan.ts'
import { bad, type Result } from '../../core/errors.ts'
import { bash } from '../../library/testing/events.ts'
import { homeLayout } from '../../system/home.ts'
import { createGateEngine } from './gate-engine.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-gate-engine-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a gate that ends while the plan is still being read keeps the records of its refusals', async () => {
  let planned: (plan: Result<LoadedPlan>) => void = () => {}
  const plan = new Promise<Result<LoadedPlan>>((resolve) => {
    planned = resolve
  })
  const never = () => Promise.reject(new Error('nobody asks'))
  const home = homeLayout(folder, {})
  const engine = createGateEngine({
    responder: { plan: () => plan, decide: never, respond: never, refuse: never },
    ...{ home, project: folder, env: {}, skills: [], say: () => {}, newId: () => 'id' },
  })
  engine.refused(bash('ls'), 'a hidden tool')
  const settled = engine.settle()
  planned(bad('PLAN_MISSING', 'none'))
  await settled
  expect(readFileSync(join(home.journal, 'spool.jsonl'), 'utf8')).toContain('a hidden tool')
})

it('a plan that throws loses the record, reports that, and does not end the gate', async () => {
  const said: string[] = []
  const never = () => Promise.reject(new Error('nobody can say'))
  const engine = createGateEngine({
    responder: { plan: never, decide: never, respond: never, refuse: never },
    ...{ home: homeLayout(folder, {}), project: folder, env: {}, skills: [], newId: () => 'id' },
    say: (line) => said.push(line),
  })
  engine.refused(bash('ls'), 'a hidden tool')
  await engine.settle()
  expect(said).toEqual(['A record was lost: nobody can say'])
})
