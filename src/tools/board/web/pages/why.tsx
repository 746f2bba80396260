import type { JSX } from 'preact'
import type { StopNote, WhyDetail } from '../../api.ts'
import { nowMs } from '../clock.ts'
import { CommandTreeView } from '../command-tree.tsx'
import { EFFECT_WORDS, EffectBadge } from '../effect.tsx'
import { length, shownTime } from '../format.ts'
import { HookRows } from '../hook-rows.tsx'
import { Loading, useLoaded } from '../load.tsx'
import { Card, Command, Facts, Page } from '../parts.tsx'
import { RecordRow } from '../record-row.tsx'
import { addRecords, NO_ROWS } from '../record-rows.ts'
import { Link } from '../router.tsx'
import { getJson } from '../server-calls.ts'
import { Prose, Text } from '../text.tsx'

/** Why one call was decided as it was. */
export function WhyPage({ id }: { readonly id: string }): JSX.Element {
  const loaded = useLoaded<WhyDetail>(id, () => getJson('/api/why', { id }))
  const effect = loaded.value?.summary.effect
  return (
    <Page title={effect === undefined ? 'Why' : `Why: ${EFFECT_WORDS[effect].toLowerCase()}`}>
      <Loading of={loaded}>{(detail) => <Why detail={detail} />}</Loading>
    </Page>
  )
}

function Why({ detail }: { readonly detail: WhyDetail }): JSX.Element {
  const { summary, input, reasons, notices, stops, tree, again, similar, failures, downgraded } = detail
  const time = nowMs.value
  return (
    <div class="why">
      <section class={`verdict ${summary.effect}`}>
        <div class="verdict-head">
          <EffectBadge effect={summary.effect} />
          <b>
            <Text of={summary.tool ?? summary.event} />
          </b>
          <span class="quiet">{summary.event}</span>
        </div>
        {input === undefined ? null : (
          <pre class="input">
            <code>
              <Text of={input} lines />
            </code>
          </pre>
        )}
        {reasons.map((reason) => (
          <p class="reason" key={reason}>
            <Prose of={reason} />
          </p>
        ))}
        {reasons.length > 0 ? null : <p class="reason">{WITHOUT_REASON[summary.effect]}</p>}
      </section>
      <Facts
        rows={[
          ['When', shownTime(summary.at, time)],
          [
            'Agent',
            <Text
              key="who"
              of={`${summary.host}${summary.agentType === undefined ? '' : ` · ${summary.agentType}`}`}
            />,
          ],
          ['Folder', <Text key="cwd" of={detail.cwd} />],
          ['Decided in', length(summary.durationMs)],
          ...(summary.toolMs === undefined ? [] : ([['Tool took', length(summary.toolMs)]] as const)),
          ...(summary.session === ''
            ? []
            : ([
                [
                  'Session',
                  <Link key="session" to={`/sessions/${encodeURIComponent(summary.session)}`}>
                    <Text of={summary.session.slice(0, 12)} />
                  </Link>,
                ],
              ] as const)),
        ]}
      />
      <Approval detail={detail} />
      <WhatToDo detail={detail} />
      {tree === undefined ? null : (
        <Card title="The command, as Holdpoint read it">
          <CommandTreeView tree={tree} />
        </Card>
      )}
      {stops.length === 0 ? null : (
        <Card title="What the guards found">
          <ul class="stops">
            {stops.map((stop) => (
              <li key={`${stop.guard}${stop.does}`}>
                <Stop stop={stop} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Every hook that matched">
        {again.kind === 'impossible' ? (
          <p class="quiet">
            {again.why} The record names: <Text of={summary.because.join(', ') || 'no hook'} />.
          </p>
        ) : (
          <>
            <p class="quiet">
              {again.samePolicy
                ? 'Decided again just now, with the same policy as then.'
                : 'Decided again just now. The policy has changed since then.'}{' '}
              {again.effect === summary.effect
                ? ''
                : `The answer now: ${EFFECT_WORDS[again.effect].toLowerCase()}.`}{' '}
              {again.leftOut.length === 0
                ? ''
                : `Not asked, because they start a program: ${again.leftOut.join(', ')}.`}
            </p>
            <HookRows hooks={again.hooks} said={again.reasons} />
          </>
        )}
      </Card>
      {[...failures, ...downgraded, ...notices].length === 0 ? null : (
        <Card title="Also noted">
          <ul>
            {[...failures, ...downgraded, ...notices].map((text) => (
              <li key={text}>
                <Text of={text} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {similar.length === 0 ? null : (
        <Card title="Similar decisions">
          <ul class="row-list">
            {addRecords(NO_ROWS, similar, 'behind').rows.map((row) => (
              <li key={row.key}>
                <RecordRow row={row} nowMs={time} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <details class="card">
        <summary>The record as it is stored</summary>
        <pre class="stored">
          <Text of={JSON.stringify(detail.stored, null, 2)} lines />
        </pre>
      </details>
    </div>
  )
}

const WITHOUT_REASON = {
  pass: 'No guard had anything against it, so the agent went on as it would without Holdpoint.',
  allow: 'A hook allowed it.',
  ask: 'A hook asked the person.',
  deny: 'A hook denied it.',
} as const

function Approval({ detail }: { readonly detail: WhyDetail }): JSX.Element | null {
  const { approval } = detail.summary
  if (approval === undefined) return null
  return (
    <p class="notice person">
      <b>A person was asked.</b> Answer: {approval.answer}
      {approval.by === undefined ? '' : ', by '}
      <Text of={approval.by ?? ''} />
      {approval.terminal === undefined ? '' : ` at ${approval.terminal}`}
      {approval.how === undefined ? '' : `, in the ${approval.how}`}.
    </p>
  )
}

function WhatToDo({ detail }: { readonly detail: WhyDetail }): JSX.Element | null {
  const { allow, summary } = detail
  if (summary.effect === 'pass' || summary.effect === 'allow') return null
  const [guard] = summary.because
  return (
    <Card title="What you can do">
      {allow.kind === 'codes' ? (
        <>
          <p>
            If exactly this call is right, run this in your own terminal, then tell the agent to try again:
          </p>
          {allow.codes.map((code) => (
            <Command key={code} text={`holdpoint allow ${code}`} />
          ))}
          <p class="quiet">
            This allows it once. With <code>--for 7d</code> or <code>--always</code> it holds longer.
          </p>
        </>
      ) : allow.kind === 'managed' ? (
        <p>No exception is possible: managed policy asks for this. Ask the administrator of this machine.</p>
      ) : (
        <p>No exception can be made for this call. Change the rule, or do it yourself.</p>
      )}
      {guard === undefined ? null : (
        <>
          <p>To see what this guard stops, and what it lets through:</p>
          <Command text={`holdpoint explain ${guard}`} />
        </>
      )}
    </Card>
  )
}

function Stop({ stop }: { readonly stop: StopNote }): JSX.Element {
  const { guard, decided, does, fragment, path, reached, unknown, configured, layer } = stop
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['It', does],
    ['Part', fragment],
    ['Path', path],
    ['Reached through', reached],
    ['Not known', unknown],
    [
      'Set in',
      configured === undefined ? undefined : `${configured}${layer === undefined ? '' : ` (${layer})`}`,
    ],
  ]
  return (
    <>
      <h3>
        <code>
          <Text of={guard} />
        </code>{' '}
        <span class="quiet">{decided}</span>
      </h3>
      <Facts
        rows={rows.flatMap(([name, text]) =>
          text === undefined || text === '' ? [] : [[name, <Text key={name} of={text} />] as const],
        )}
      />
    </>
  )
}
