import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { SessionPage as SessionList, SessionSummary } from '../../api.ts'
import { nowMs } from '../clock.ts'
import { EffectBar } from '../effect.tsx'
import { ago, counted, folderName, length, shownTime } from '../format.ts'
import { Empty, Loading, useLoaded } from '../load.tsx'
import { Page } from '../parts.tsx'
import { Link } from '../router.tsx'
import { getJson } from '../server-calls.ts'
import { Text } from '../text.tsx'

/** A session that did something within this time may still be running. */
const RUNNING_MS = 2 * 60_000

export function SessionsPage(): JSX.Element {
  const first = useLoaded<SessionList>('sessions', () => getJson('/api/sessions'))
  return (
    <Page title="Sessions">
      <Loading of={first}>{(list) => <Sessions first={list} />}</Loading>
    </Page>
  )
}

function Sessions({ first }: { readonly first: SessionList }): JSX.Element {
  const [more, setMore] = useState<readonly SessionSummary[]>([])
  const [next, setNext] = useState(first.next)
  const loadMore = async () => {
    const page = await getJson<SessionList>('/api/sessions', { before: next })
    if (!page.ok) return
    setMore([...more, ...page.value.rows])
    setNext(page.value.next)
  }
  const all = [...first.rows, ...more]
  if (all.length === 0) return <Empty>No agent was guarded yet. Its sessions appear here.</Empty>
  return (
    <>
      <ul class="sessions">
        {all.map((session) => (
          <SessionItem key={session.session} session={session} time={nowMs.value} />
        ))}
      </ul>
      {next === undefined ? null : (
        <button type="button" onClick={() => void loadMore()}>
          Older sessions
        </button>
      )}
    </>
  )
}

function SessionItem({
  session,
  time,
}: {
  readonly session: SessionSummary
  readonly time: number
}): JSX.Element {
  const { host, project, from, to, effects, agents, records } = session
  const isRunning = time - Date.parse(to) < RUNNING_MS
  return (
    <li>
      <Link to={`/sessions/${encodeURIComponent(session.session)}`} class="session">
        <span class="session-title">
          <Text of={session.title ?? `Session ${session.session.slice(0, 12)}`} />
        </span>
        <span class="session-facts quiet">
          {isRunning ? <span class="tag live-tag">running</span> : null}
          <span>{host}</span>
          <span>
            <Text of={folderName(project)} />
          </span>
          <span>{shownTime(from, time)}</span>
          <span>{length(Date.parse(to) - Date.parse(from))}</span>
          <span>{agents === 1 ? 'one agent' : counted(agents, 'agent')}</span>
        </span>
        <span class="session-counts">
          <EffectBar effects={effects} />
          <span class="quiet">
            {counted(records, 'event')}
            {session.isCut ? ' and more' : ''}
            {effects.deny === 0 ? '' : ` · ${effects.deny} denied`}
            {effects.ask === 0 ? '' : ` · ${effects.ask} asked`}
          </span>
        </span>
        <span class="session-ago quiet">{ago(to, time)}</span>
      </Link>
    </li>
  )
}
