import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bad, type Result } from '../errors.ts'
import type { LoadedPlan } from '../load-plan.ts'
import { bash } from '../testing/events.ts'
import { homeLayout } from '../world/home.ts'
import { createJudge } from './judge.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-judge-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a gate that ends while the plan is still being read keeps what it refused all the same', async () => {
  let planned: (plan: Result<LoadedPlan>) => void = () => {}
  const plan = new Promise<Result<LoadedPlan>>((resolve) => {
    planned = resolve
  })
  const never = () => Promise.reject(new Error('nobody asks'))
  const home = homeLayout(folder, {})
  const judge = createJudge({
    responder: { plan: () => plan, judge: never, respond: never, refuse: never },
    ...{ home, project: folder, env: {}, skills: [], say: () => {}, newId: () => 'id' },
  })
  judge.refused(bash('ls'), 'a hidden tool')
  const settled = judge.settle()
  planned(bad('PLAN_MISSING', 'none'))
  await settled
  expect(readFileSync(join(home.journal, 'spool.jsonl'), 'utf8')).toContain('a hidden tool')
})

it('a plan that cannot even be asked for loses the record, says so, and ends nobody', async () => {
  const said: string[] = []
  const never = () => Promise.reject(new Error('nobody can say'))
  const judge = createJudge({
    responder: { plan: never, judge: never, respond: never, refuse: never },
    ...{ home: homeLayout(folder, {}), project: folder, env: {}, skills: [], newId: () => 'id' },
    say: (line) => said.push(line),
  })
  judge.refused(bash('ls'), 'a hidden tool')
  await judge.settle()
  expect(said).toEqual(['A record was lost: nobody can say'])
})
