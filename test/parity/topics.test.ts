import { expect, it } from 'vitest'
import { buildCheckPlan } from '../../src/app/check-plan.ts'
import { rehearse } from '../../src/app/rehearse.ts'
import { frozenFacts } from '../../src/library/testing/events.ts'
import { decodeCall } from '../../src/tools/explain/call.ts'
import { PACKS } from '../corpus/judge.ts'
import { GROUND, readFamilies } from '../corpus/rows.ts'

it('guards that are found by topics decide as if each were asked, for every row of the corpus', async () => {
  const found = await buildCheckPlan(PACKS, 'paranoid')
  const { concerned: _concerned, ...engine } = found.engine
  const asked = { ...found, engine }
  const different: string[] = []
  for (const row of readFamilies().flatMap(({ rows }) => rows)) {
    const { id, command = '', event, cwd = GROUND.cwd, platform = GROUND.platform } = row
    const call = event ?? { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }
    const decoded = await decodeCall({ session_id: 'corpus', ...call, cwd }, cwd)
    const options = { facts: frozenFacts({ ...GROUND, cwd, platform }), skills: [], untraced: true }
    const decisions = [await rehearse(found, decoded, options), await rehearse(asked, decoded, options)]
    const [one, other] = decisions.map(({ decision }) => JSON.stringify(decision))
    if (one !== other) different.push(id)
  }
  expect(different).toEqual([])
})
