import { scaleTime } from 'd3-scale'
import type { JSX } from 'preact'
import type { AgentLane, Moment } from '../../api.ts'
import { clock, counted } from '../format.ts'
import { plainText } from '../text.tsx'

interface TimeLineProps {
  readonly agents: readonly AgentLane[]
  readonly moments: readonly Moment[]
  readonly selected: string | undefined
}

const LANE = 26
const HEAD = 26
const NAMES = 190
const WIDTH = 1_100
const INDENT = 12
/** A call that took no time must still be seen. */
const BAR_MIN = 2

/**
 * One lane for each agent: its life as a line, its tools as bars as long as they took, what was stopped in red, gates as
 * diamonds. The same facts are in the list below, for those who do not see the drawing.
 */
export function TimeLine({ agents, moments, selected }: TimeLineProps): JSX.Element {
  const times = [...agents.flatMap(({ from, to }) => [from, to]), ...moments.map(({ at }) => at)].map(
    Date.parse,
  )
  const [fromMs, toMs] = [Math.min(...times), Math.max(...times)]
  const x = scaleTime([fromMs, Math.max(toMs, fromMs + 1_000)], [NAMES, WIDTH - 14])
  const lanes = new Map(agents.map(({ id }, index) => [id, HEAD + index * LANE + LANE / 2]))
  const height = HEAD + agents.length * LANE + 8
  const label = `Time line of ${counted(agents.length, 'agent')}, from ${clock(new Date(fromMs).toISOString())} to ${clock(new Date(toMs).toISOString())}`
  return (
    <svg class="time-line" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      {x.ticks(8).map((tick) => (
        <g key={tick.getTime()}>
          <line class="grid" x1={x(tick)} x2={x(tick)} y1={HEAD - 6} y2={height} />
          <text class="tick" x={x(tick)} y={12}>
            {clock(tick.toISOString())}
          </text>
        </g>
      ))}
      {agents.map((agent) => (
        <Lane
          key={agent.id}
          agent={agent}
          y={lanes.get(agent.id) ?? 0}
          from={x(Date.parse(agent.from))}
          to={x(Date.parse(agent.to))}
          parentY={agent.parent === undefined ? undefined : lanes.get(agent.parent)}
          isSelected={agent.id === selected}
        />
      ))}
      {moments.map((moment) => {
        const y = lanes.get(moment.agent)
        if (y === undefined) return null
        const at = x(Date.parse(moment.at))
        const done = moment.doneAt === undefined ? at : x(Date.parse(moment.doneAt))
        return <Shape key={moment.id} moment={moment} x={at} y={y} width={Math.max(BAR_MIN, done - at)} />
      })}
    </svg>
  )
}

interface LaneProps {
  readonly agent: AgentLane
  readonly y: number
  readonly from: number
  readonly to: number
  readonly parentY: number | undefined
  readonly isSelected: boolean
}

const NAME_MAX = 24

function Lane({ agent, y, from, to, parentY, isSelected }: LaneProps): JSX.Element {
  const name = plainText(agent.type ?? (agent.id === 'main' ? 'main agent' : agent.id))
  const short = name.length > NAME_MAX - agent.depth ? `${name.slice(0, NAME_MAX - agent.depth - 1)}…` : name
  return (
    <g class={isSelected ? 'lane selected' : 'lane'}>
      <rect class="lane-back" x="0" y={y - LANE / 2} width={WIDTH} height={LANE} />
      <text class="lane-name" x={8 + agent.depth * INDENT} y={y + 4}>
        {short}
      </text>
      {parentY === undefined ? null : <line class="spawn" x1={from} x2={from} y1={parentY} y2={y} />}
      <line class="life" x1={from} x2={Math.max(to, from + 2)} y1={y} y2={y} />
    </g>
  )
}

function Shape({
  moment,
  x,
  y,
  width,
}: {
  readonly moment: Moment
  readonly x: number
  readonly y: number
  readonly width: number
}): JSX.Element | null {
  const { kind, effect, tool, event, input = '' } = moment
  const title = <title>{plainText(`${tool ?? event} ${input.slice(0, 120)} (${effect})`)}</title>
  switch (kind) {
    case 'call':
      return (
        <rect
          class={`bar fill-${effect === 'pass' ? 'tool' : effect}`}
          x={x}
          y={y - 6}
          width={width}
          height="12"
          rx="2"
        >
          {title}
        </rect>
      )
    case 'gate':
      return (
        <path class={`gate ${effect === 'deny' ? 'held' : 'released'}`} d={`M${x} ${y - 8}l8 8-8 8-8-8z`}>
          {title}
        </path>
      )
    case 'signal':
      return (
        <path class="signal-flag" d={`M${x} ${y + 8}v-16l10 4-10 4`}>
          {title}
        </path>
      )
    case 'prompt':
      return (
        <circle class="prompt" cx={x} cy={y} r="5">
          {title}
        </circle>
      )
    default:
      return null
  }
}
