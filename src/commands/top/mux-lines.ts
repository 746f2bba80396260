import type { Effect } from '../../core/decision.ts'
import { cell, fixedWidth, own, type ScreenTone } from './cells.ts'
import type { TopModel } from './model.ts'
import type { ScreenRow } from './row.ts'

const MAY: Readonly<Record<Effect, readonly [string, ScreenTone]>> = {
  pass: ['may', 'allow'],
  allow: ['may', 'allow'],
  ask: ['asks', 'ask'],
  deny: ['not', 'deny'],
}

/** The state of an agent, and the spaces around it. */
const STATE_WIDTH = 12

/** The orchestrations of this project: agents, what each may do, their signals, and the gate. */
export function muxLines({ orchestrations, selected }: TopModel, columns: number): readonly ScreenRow[] {
  if (orchestrations.length === 0) {
    return [
      { cells: [cell('No orchestration runs in this project.', 'dim')] },
      { cells: [cell('One begins when an agent starts the skill `mux`.', 'dim')] },
    ]
  }
  const toolWidth = columns >= 80 ? 9 : 6
  const nameWidth = Math.max(12, Math.min(34, columns - 5 * toolWidth - STATE_WIDTH))
  return orchestrations.flatMap((each, index): readonly ScreenRow[] => [
    {
      isSelected: index === selected,
      cells: [
        own(' '),
        cell(each.gate, each.gate === 'ADVANCE' ? 'allow' : each.gate === 'RECOVER' ? 'deny' : 'ask'),
        cell(` ${each.folder}`, 'bold'),
      ],
    },
    ...each.reasons.map((reason) => ({ cells: [own('  '), cell(reason, 'dim')] })),
    {
      cells: [
        own('  '),
        fixedWidth(own('agent', 'dim'), nameWidth),
        ...(each.agents[0]?.may ?? []).map(([tool]) => fixedWidth(own(tool, 'dim'), toolWidth)),
        cell('state', 'dim'),
      ],
    },
    ...each.agents.map((agent) => ({
      cells: [
        own('  '),
        fixedWidth(
          cell(`${agent.name}${agent.skills.length === 0 ? '' : ` [${agent.skills.join(',')}]`}`),
          nameWidth,
        ),
        ...agent.may.map(([, effect]) => fixedWidth(own(...MAY[effect]), toolWidth)),
        cell(agent.status, agent.status === 'failed' ? 'deny' : 'dim'),
      ],
    })),
    ...(each.signals.length === 0 ? [{ cells: [own('  no signal yet', 'dim')] }] : []),
    ...each.signals.map(({ name, status, path }) => ({
      cells: [
        own(status === 'success' ? '  ✓ ' : '  ✗ ', status === 'success' ? 'allow' : 'deny'),
        cell(`${name} `, 'bold'),
        cell(path, 'dim'),
      ],
    })),
    { cells: [] },
  ])
}
