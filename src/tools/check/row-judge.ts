import type { LoadedPlan } from '../../app/load-plan.ts'
import type { JsonObject } from '../../core/json.ts'
import { answerRow, type RowPlace } from './answer-row.ts'
import type { RowJudge } from './judge-rows.ts'

export function createRowJudge(loaded: LoadedPlan, place: RowPlace): RowJudge {
  return async (batch) => {
    let [lines, wrongRows] = ['', 0]
    for (const row of batch) {
      const answer: JsonObject = await answerRow(row, loaded, place)
      if ('error' in answer) wrongRows += 1
      lines += `${JSON.stringify(answer)}\n`
    }
    return { lines, wrongRows }
  }
}
