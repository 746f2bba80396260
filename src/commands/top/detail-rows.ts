import { cell, fixedWidth, own, type ScreenTone, wrapped } from './cells.ts'
import type { TopModel } from './model.ts'
import { clockTime, SCREEN_EFFECTS, type ScreenRow } from './row.ts'

/** The tree of agents, then what was stopped. */
export function sessionDetailRows({ session, selected }: TopModel, columns: number): readonly ScreenRow[] {
  if (session === undefined) return []
  const agents = session.agents.map((agent, index): ScreenRow => {
    const name = agent.type ?? (agent.id === 'main' ? 'main agent' : agent.id)
    const state = agent.ended ? 'ended' : 'running'
    const stopped = agent.stopped === 0 ? '' : `, ${agent.stopped} stopped`
    const skills = agent.skills.length === 0 ? '' : ` [${agent.skills.join(', ')}]`
    return {
      isSelected: index === selected,
      cells: [
        own(' '),
        own('  '.repeat(agent.depth)),
        own(agent.depth === 0 ? '' : '└ ', 'dim'),
        cell(name, 'bold'),
        cell(skills, 'accent'),
        cell(` ${agent.calls} calls${stopped}, ${state}`, agent.stopped === 0 ? 'dim' : 'deny'),
      ],
    }
  })
  const agent = session.agents[selected]?.id
  const moments = session.moments
    .filter((moment) => moment.agent === agent)
    .slice(-MOMENTS_SHOWN)
    .reverse()
  const happened = moments.map((moment): ScreenRow => {
    const gate = moment.effect === 'deny' ? 'GATE HELD' : 'GATE RELEASED'
    const head =
      moment.kind === 'gate' ? gate : moment.kind === 'signal' ? 'SIGNAL' : (moment.tool ?? moment.event)
    const tone = SCREEN_EFFECTS[moment.effect][1]
    return {
      cells: [
        cell(`${clockTime(moment.at)} `, 'dim'),
        fixedWidth(
          cell(
            `${head} ${moment.input ?? ''} ${(moment.owed ?? []).join('; ')}`,
            tone === 'dim' ? undefined : tone,
          ),
          columns - 9,
        ),
      ],
    }
  })
  return [...agents, { cells: [] }, ...happened]
}

const MOMENTS_SHOWN = 100

export function whyRows({ why }: TopModel, columns: number): readonly ScreenRow[] {
  if (why === undefined) return []
  const [word, tone] = SCREEN_EFFECTS[why.summary.effect]
  const text = (lines: readonly string[], use?: ScreenTone): readonly ScreenRow[] =>
    lines
      .flatMap((line) => wrapped(line, columns - 2))
      .map((line) => ({ cells: [own('  '), cell(line, use)] }))
  const head = (words: string): ScreenRow => ({ cells: [cell(words, 'bold')] })
  const again = why.again.kind === 'decided' ? why.again.hooks.filter(({ said }) => said !== 'pass') : []
  return [
    {
      cells: [
        cell(word, tone),
        cell(` ${why.summary.tool ?? why.summary.event}`, 'bold'),
        cell(` in ${why.cwd}`, 'dim'),
      ],
    },
    ...text([why.input ?? '']),
    ...text(why.reasons, tone === 'dim' ? undefined : tone),
    ...(why.allow.kind === 'codes'
      ? [
          head('To allow it'),
          ...text(
            why.allow.codes.map((code) => `holdpoint allow ${code}`),
            'accent',
          ),
        ]
      : []),
    ...(again.length === 0 ? [] : [head('Hooks that answered')]),
    ...again.flatMap(({ said, id, file, line }) =>
      text([`${said} ${id} (${file}${line === undefined ? '' : `:${line}`})`]),
    ),
    { cells: [] },
    { cells: [cell(`holdpoint explain ${why.summary.id}`, 'dim')] },
  ]
}
