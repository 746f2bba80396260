import type { JSX } from 'preact'
import { EffectBadge } from './effect.tsx'
import { folderName, length, shownTime } from './format.ts'
import { Icon } from './icons.tsx'
import type { CallRow } from './record-rows.ts'
import { Link } from './router.tsx'
import { Text } from './text.tsx'
import type { RowFocus } from './virtual-list.tsx'

interface RecordRowProps {
  readonly row: CallRow
  readonly nowMs: number
  readonly focus?: RowFocus
}

/** One call: when, what became of it, who, what, and by which guard. The whole row is the link to its reasons. */
export function RecordRow({ row, nowMs, focus }: RecordRowProps): JSX.Element {
  const { record, effect, toolMs } = row
  const who = whoOf(record)
  const what = record.tool ?? record.event
  const [by] = record.because
  return (
    <Link to={`/why/${encodeURIComponent(record.id)}`} class={`row ${effect}`} {...focus}>
      <time class="row-time" dateTime={record.at}>
        {shownTime(record.at, nowMs)}
      </time>
      {record.host === 'person' ? (
        <span class="badge person">
          <Icon name="agents" size={13} />
          Person
        </span>
      ) : (
        <EffectBadge effect={effect} />
      )}
      <span class="row-who">
        <Text of={who} />{' '}
        <span class="row-project">
          <Text of={folderName(record.project)} />
        </span>
      </span>
      <span class={record.tool === undefined ? 'row-tool event' : 'row-tool'}>
        <Text of={what} />
      </span>
      <span class="row-text">
        <Text of={record.input ?? ''} />
      </span>
      <span class="row-by">
        {row.failed === true ? <span class="tag">tool failed</span> : null}
        {record.failed === true ? <span class="tag warn">hook failed</span> : null}
        {record.paused === true ? <span class="tag warn">paused</span> : null}
        {record.approval === undefined ? null : <span class="tag person">{record.approval.answer}</span>}
        {effect === 'pass' || by === undefined ? null : <Text of={by} />}
      </span>
      <span class="row-took">{toolMs === undefined ? length(record.durationMs) : length(toolMs)}</span>
    </Link>
  )
}

function whoOf({ host, agent, agentType }: CallRow['record']): string {
  if (host === 'person') return ''
  const type = agentType ?? (agent === undefined ? undefined : 'sub-agent')
  return type === undefined ? host : `${host} · ${type}`
}
