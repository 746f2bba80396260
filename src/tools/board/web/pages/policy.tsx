import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { EffectiveGuard, EffectivePack } from '../../../../config/effective.ts'
import type { Origin } from '../../../../core/hook.ts'
import type { ExceptionRow, PolicyPage as PolicyFacts } from '../../api.ts'
import { nowMs } from '../clock.ts'
import { counted, shownTime } from '../format.ts'
import { project } from '../hello.ts'
import { Loading, useLoaded } from '../load.tsx'
import { Card, Command, Page, TableBox } from '../parts.tsx'
import { Problems } from '../problems.tsx'
import { ProjectSelect } from '../project-select.tsx'
import { getJson } from '../server-calls.ts'
import { Text } from '../text.tsx'

/** The policy that applies in a project: every value with the file it comes from, and every exception to it. */
export function PolicyPage(): JSX.Element {
  const at = project.value
  const loaded = useLoaded<PolicyFacts>(at || undefined, () => getJson('/api/policy', { project: at }))
  return (
    <Page title="Policy" beside={<ProjectSelect />}>
      <Loading of={loaded}>{(facts) => <Policy facts={facts} />}</Loading>
    </Page>
  )
}

function Policy({ facts }: { readonly facts: PolicyFacts }): JSX.Element {
  const { policy, broken, unsigned, exceptions, pause } = facts
  const problems = [...broken, ...policy.problems]
  const untrusted = policy.layers.filter(({ trusted }) => !trusted)
  return (
    <>
      {pause === undefined ? null : (
        <div class="notice problem">
          <p>
            <b>Paused until {shownTime(pause.until, nowMs.value)}:</b>{' '}
            {pause.packs === 'all' ? 'all packs are off' : `off: ${pause.packs.join(', ')}`}. To end the
            pause, run <code>holdpoint pause --end</code>.
          </p>
        </div>
      )}
      {problems.length === 0 ? null : (
        <Card title={counted(problems.length, 'problem')}>
          <Problems problems={problems} />
        </Card>
      )}
      {unsigned.length === 0 ? null : (
        <Card title="Entries that no person signed">
          <Problems problems={unsigned} />
        </Card>
      )}
      {untrusted.length === 0 ? null : (
        <Card title="Not trusted">
          <p>These files can only make things stricter. Read them, then run this in the project:</p>
          <Command text="holdpoint trust" />
          <ul>
            {untrusted.map(({ file }) => (
              <li key={file}>
                <code>
                  <Text of={file} />
                </code>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Files, the strongest first">
        <TableBox label="Files">
          <table>
            <thead>
              <tr>
                <th scope="col">Layer</th>
                <th scope="col">File</th>
                <th scope="col">Trust</th>
              </tr>
            </thead>
            <tbody>
              {policy.layers.map(({ rank, file, trusted }) => (
                <tr key={`${rank}${file}`}>
                  <td>{rank === 'call' ? 'defaults' : rank}</td>
                  <td>
                    <code>
                      <Text of={file} />
                    </code>
                  </td>
                  <td>{trusted ? 'in force' : <span class="tag warn">not trusted</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      </Card>
      <Exceptions exceptions={exceptions} />
      <Card title="Rules, contracts and hooks">
        {policy.entries.length === 0 ? (
          <p class="quiet">No file has any. The packs below do the work.</p>
        ) : (
          <TableBox label="Rules, contracts and hooks">
            <table>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Kind</th>
                  <th scope="col">At</th>
                  <th scope="col">From</th>
                </tr>
              </thead>
              <tbody>
                {policy.entries.map(({ id, kind, on, from, trusted }) => (
                  <tr key={`${id}${from.file}${from.line}`}>
                    <td>
                      <Text of={id} /> {trusted ? null : <span class="tag warn">not trusted</span>}
                    </td>
                    <td>{kind}</td>
                    <td>{on.join(', ')}</td>
                    <td class="place">
                      <Text of={placeOf(from)} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableBox>
        )}
      </Card>
      <h2 class="section-head">Packs</h2>
      {policy.packs.filter(isShown).map((pack) => (
        <PackCard key={pack.pack} pack={pack} />
      ))}
      <OtherPacks packs={policy.packs.filter((pack) => !isShown(pack))} />
      <Card title="Settings">
        <TableBox label="Settings">
          <table>
            <tbody>
              {policy.settings.map(({ key, value, from }) => (
                <tr key={key}>
                  <th scope="row">{key}</th>
                  <td>
                    <code>
                      <Text of={JSON.stringify(value)} />
                    </code>
                  </td>
                  <td class="place quiet">{from === undefined ? 'default' : <Text of={from} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      </Card>
    </>
  )
}

function placeOf({ file, line }: Origin): string {
  return line === undefined ? file : `${file}:${line}`
}

function Exceptions({ exceptions }: { readonly exceptions: readonly ExceptionRow[] }): JSX.Element {
  if (exceptions.length === 0) {
    return (
      <Card title="Exceptions">
        <p class="quiet">There are no exceptions in this project.</p>
      </Card>
    )
  }
  return (
    <Card title="Exceptions">
      <TableBox label="Exceptions">
        <table>
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Call</th>
              <th scope="col">Guard</th>
              <th scope="col">Until</th>
            </tr>
          </thead>
          <tbody>
            {exceptions.map(({ code, what, guard, until, session, cwd }) => (
              <tr key={`${code}${guard}`}>
                <td>
                  <code>{code}</code>
                </td>
                <td>
                  <code>
                    <Text of={what} />
                  </code>
                  <div class="quiet place">
                    in <Text of={cwd} />
                  </div>
                </td>
                <td>
                  <Text of={guard} />
                </td>
                <td>
                  {until === undefined ? 'always' : shownTime(until, nowMs.value)}
                  {session === undefined ? null : (
                    <div class="quiet">
                      once, in session <Text of={session.slice(0, 12)} />
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      <p class="quiet">
        To remove one: <code>holdpoint allow --remove CODE</code>
      </p>
    </Card>
  )
}

/** A pack that is on, or that should be. */
function isShown({ on, isDefault, from }: EffectivePack): boolean {
  return on || isDefault || from !== undefined
}

function OtherPacks({ packs }: { readonly packs: readonly EffectivePack[] }): JSX.Element | null {
  if (packs.length === 0) return null
  return (
    <details class="card">
      <summary>{counted(packs.length, 'more pack')} that no file switches on</summary>
      <dl class="other-packs">
        {packs.map(({ pack, title, guards }) => (
          <div key={pack}>
            <dt>{pack}</dt>
            <dd>
              {title} <span class="quiet">{counted(guards.length, 'guard')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const MODE_ORDER = ['deny', 'ask', 'warn', 'off']

function PackCard({ pack }: { readonly pack: EffectivePack }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const on = pack.guards.filter(({ mode }) => mode !== 'off')
  const isStopped = (pack.pausedUntilMs ?? 0) > nowMs.value
  const counts = MODE_ORDER.map(
    (mode) => [mode, pack.guards.filter((each) => each.mode === mode).length] as const,
  )
  return (
    <section class={`card pack ${pack.on ? '' : 'is-off'}`}>
      <div class="card-head">
        <h3>{pack.pack}</h3>
        <span class="pack-state">
          {isStopped ? <span class="tag warn">paused</span> : null}
          {pack.on ? (
            <span class="tag">{pack.level}</span>
          ) : (
            <span class={pack.isDefault ? 'tag warn' : 'tag'}>off</span>
          )}
        </span>
      </div>
      <p>{pack.title}.</p>
      <p class="quiet">
        {pack.on
          ? `${counted(on.length, 'guard')} on: ${counts
              .filter(([mode, count]) => count > 0 && mode !== 'off')
              .map(([mode, count]) => `${count} ${mode}`)
              .join(', ')}. `
          : `${counted(pack.guards.length, 'guard')}. `}
        <Text of={pack.from === undefined ? 'No file names it.' : `From ${placeOf(pack.from)}.`} />
      </p>
      {pack.on ? (
        <>
          <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? `Hide the guards of ${pack.pack}` : `Show the guards of ${pack.pack}`}
          </button>
          {isOpen ? <Guards guards={pack.guards} /> : null}
        </>
      ) : null}
    </section>
  )
}

function Guards({ guards }: { readonly guards: readonly EffectiveGuard[] }): JSX.Element {
  return (
    <ul class="guards">
      {guards.map(({ id, mode, isSet, from }) => (
        <li key={id}>
          <span class={`mode mode-${mode}`}>{mode}</span> <code>{id}</code>
          {isSet && from !== undefined ? (
            <span class="quiet place">
              {' '}
              set in <Text of={placeOf(from)} />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
