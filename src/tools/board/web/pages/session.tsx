import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AgentLane, Moment, SessionDetail } from '../../api.ts'
import { TimeLine } from '../charts/time-line.tsx'
import { nowMs } from '../clock.ts'
import { EFFECT_WORDS, EffectBadge } from '../effect.tsx'
import { counted, length, shownTime } from '../format.ts'
import { Icon, type IconName } from '../icons.tsx'
import { Loading, useLoaded } from '../load.tsx'
import { Card, Facts, Page, TableBox } from '../parts.tsx'
import { Link } from '../router.tsx'
import { getJson } from '../server-calls.ts'
import { Text } from '../text.tsx'

const REFRESH_EVERY_MS = 5_000

/** One session: the tree of its agents, what each of them did, and when. */
export function SessionPage({ id }: { readonly id: string }): JSX.Element {
  // A session that runs is loaded again now and then.
  const turn = Math.floor(nowMs.value / REFRESH_EVERY_MS)
  const loaded = useLoaded<SessionDetail>(`${id}/${turn}`, () => getJson('/api/session', { id }))
  const title = loaded.value?.summary.title
  return (
    <Page title={title === undefined ? `Session ${id.slice(0, 12)}` : `Session: ${title.slice(0, 60)}`}>
      <Loading of={{ ...loaded, isLoading: false }}>{(detail) => <Session detail={detail} />}</Loading>
    </Page>
  )
}

function Session({ detail }: { readonly detail: SessionDetail }): JSX.Element {
  const { summary, agents, moments } = detail
  const [selected, setSelected] = useState<string | undefined>(undefined)
  const shown = selected === undefined ? moments : moments.filter(({ agent }) => agent === selected)
  const time = nowMs.value
  const name = agents.find(({ id }) => id === selected)
  return (
    <>
      <Facts
        rows={[
          ['Agent', summary.host],
          ['Project', <Text key="project" of={summary.project} />],
          ['Began', shownTime(summary.from, time)],
          ['Took', length(Date.parse(summary.to) - Date.parse(summary.from))],
          ['Agents', String(agents.length)],
          ['Stopped', `${summary.effects.deny} denied, ${summary.effects.ask} asked`],
        ]}
      />
      {summary.isCut ? <p class="notice">This session is long: only its last events are shown.</p> : null}
      <Card title="Time line" beside={<Legend />}>
        <TableBox label="Time line">
          <TimeLine agents={agents} moments={moments} selected={selected} />
        </TableBox>
      </Card>
      <div class="columns">
        <Card title="Agents">
          <ul class="agent-tree">
            {agents.map((agent) => (
              <AgentItem
                key={agent.id}
                agent={agent}
                isSelected={agent.id === selected}
                onSelect={() => setSelected(agent.id === selected ? undefined : agent.id)}
              />
            ))}
          </ul>
        </Card>
        <Card
          title={name === undefined ? 'What happened' : `What ${name.type ?? name.id} did`}
          beside={
            selected === undefined ? null : (
              <button type="button" class="small" onClick={() => setSelected(undefined)}>
                All agents
              </button>
            )
          }
        >
          <Moments moments={shown} agents={agents} time={time} />
        </Card>
      </div>
    </>
  )
}

function Legend(): JSX.Element {
  const signs: readonly (readonly [string, string])[] = [
    ['fill-tool', 'tool call'],
    ['fill-deny', 'denied'],
    ['fill-ask', 'asked'],
    ['gate held', 'gate held'],
    ['gate released', 'gate released'],
  ]
  return (
    <ul class="legend">
      {signs.map(([sign, words]) => (
        <li key={words}>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
            {sign.startsWith('gate') ? (
              <path class={sign} d="M6 0l6 6-6 6-6-6z" />
            ) : (
              <rect class={sign} width="12" height="12" rx="2" />
            )}
          </svg>
          {words}
        </li>
      ))}
    </ul>
  )
}

const INDENTS_MAX = 6

function AgentItem(props: {
  readonly agent: AgentLane
  readonly isSelected: boolean
  onSelect(): void
}): JSX.Element {
  const { agent, isSelected, onSelect } = props
  const { type, id, skills, calls, stopped, ended, depth } = agent
  const parent =
    agent.parent === undefined
      ? ''
      : `, started by ${agent.parent === 'main' ? 'the main agent' : agent.parent}`
  return (
    <li class={`depth-${Math.min(depth, INDENTS_MAX)}`}>
      <button type="button" class="agent-item" aria-pressed={isSelected} onClick={onSelect}>
        <span class="agent-name">
          <Text of={type ?? (id === 'main' ? 'main agent' : id)} />
          <span class="hidden">
            {`, level ${depth + 1}`}
            <Text of={parent} />
          </span>
        </span>
        <span class="quiet">
          {counted(calls, 'call')}
          {stopped === 0 ? '' : `, ${stopped} stopped`}
          {ended ? ', ended' : ''}
        </span>
        {skills.length === 0 ? null : (
          <span class="skills">
            {skills.map((skill) => (
              <span class="tag" key={skill}>
                <Text of={skill} />
              </span>
            ))}
          </span>
        )}
      </button>
    </li>
  )
}

const SHOWN_FIRST = 150

const KIND_ICONS: Readonly<Record<Moment['kind'], IconName>> = {
  call: 'pass',
  prompt: 'agent',
  gate: 'pause',
  signal: 'signal',
  start: 'play',
  end: 'deny',
  other: 'pass',
}

function Moments(props: {
  readonly moments: readonly Moment[]
  readonly agents: readonly AgentLane[]
  readonly time: number
}): JSX.Element {
  const { moments, agents, time } = props
  const [count, setCount] = useState(SHOWN_FIRST)
  const names = new Map(agents.map(({ id, type }) => [id, type ?? (id === 'main' ? 'main' : id.slice(0, 8))]))
  const newest = moments.slice(-count).reverse()
  return (
    <>
      <ol class="moments" reversed>
        {newest.map((moment) => (
          <li key={moment.id}>
            <Link
              to={`/why/${encodeURIComponent(moment.id)}`}
              class={`moment ${moment.kind} ${moment.effect}`}
            >
              <time class="row-time" dateTime={moment.at}>
                {shownTime(moment.at, time)}
              </time>
              <span class="moment-what">
                <Icon name={KIND_ICONS[moment.kind]} size={13} />
                <b>
                  <Text of={headOf(moment)} />
                </b>{' '}
                <span class="moment-text">
                  <Text of={moment.input ?? ''} />
                </span>
                {(moment.owed ?? []).map((owed) => (
                  <span class="owed" key={owed}>
                    <Text of={owed} />
                  </span>
                ))}
              </span>
              <span class="quiet moment-who">
                <Text of={names.get(moment.agent) ?? ''} />
              </span>
              <span class="moment-effect">
                {moment.effect === 'pass' ? (
                  <span class="quiet">
                    {moment.toolMs === undefined ? EFFECT_WORDS.pass : length(moment.toolMs)}
                  </span>
                ) : (
                  <EffectBadge effect={moment.effect} />
                )}
              </span>
            </Link>
          </li>
        ))}
      </ol>
      {moments.length <= count ? null : (
        <button type="button" onClick={() => setCount(count + SHOWN_FIRST)}>
          Show more ({moments.length - count} left)
        </button>
      )}
    </>
  )
}

function headOf({ kind, tool, event, effect }: Moment): string {
  if (kind === 'gate') return effect === 'deny' ? 'Gate held' : 'Gate released'
  if (kind === 'signal') return 'Signal'
  if (kind === 'prompt') return 'Prompt'
  if (kind === 'start') return event === 'SubagentStart' ? 'Agent started' : 'Session started'
  if (kind === 'end') return 'Session ended'
  return tool ?? event
}
