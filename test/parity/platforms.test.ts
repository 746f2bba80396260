import { expect, it } from 'vitest'
import type { Effect } from '../../src/core/decision.ts'
import { createJudge } from '../corpus/judge.ts'
import { readFamilies } from '../corpus/rows.ts'

const STRENGTH: Readonly<Partial<Record<Effect, number>>> = { ask: 1, deny: 2 }

// Where capitals make no other file, guards know more names of it, and no fewer.
it.each(['darwin', 'win32'])('no row of the corpus gets a weaker answer on %s', async (platform) => {
  const judge = await createJudge()
  const weaker: string[] = []
  for (const row of readFamilies().flatMap(({ rows }) => rows)) {
    const here = await judge({ ...row, platform: 'linux' })
    const there = await judge({ ...row, platform })
    if ((STRENGTH[there.effect] ?? 0) < (STRENGTH[here.effect] ?? 0)) weaker.push(row.id)
  }
  expect(weaker).toEqual([])
})

it('hardly any row that passes is stopped for its capitals alone', async () => {
  const judge = await createJudge()
  const stopped: string[] = []
  for (const row of readFamilies().flatMap(({ rows }) => rows)) {
    if (row.expect !== 'pass' || row.platform !== undefined) continue
    const { effect } = await judge({ ...row, platform: 'darwin' })
    if (STRENGTH[effect] !== undefined && STRENGTH[(await judge(row)).effect] === undefined)
      stopped.push(row.id)
  }
  expect(stopped).toEqual([])
})
