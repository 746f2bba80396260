import type { JSX } from 'preact'
import type { AgentGuard } from '../../../status/guarded.ts'
import type { AgentsPage as AgentFacts } from '../../api.ts'
import { counted, length } from '../format.ts'
import { project } from '../hello.ts'
import { Loading, useLoaded } from '../load.tsx'
import { Card, Command, Facts, Page } from '../parts.tsx'
import { ProjectSelect } from '../project-select.tsx'
import { getJson } from '../server-calls.ts'
import { Prose, Text } from '../text.tsx'

/** What is guarded in a project, and what is not: the facts of `holdpoint status`. */
export function AgentsPage(): JSX.Element {
  const at = project.value
  const loaded = useLoaded<AgentFacts>(at || undefined, () => getJson('/api/agents', { project: at }))
  return (
    <Page title="Agents" beside={<ProjectSelect />}>
      <Loading of={loaded}>{(facts) => <Agents facts={facts} />}</Loading>
    </Page>
  )
}

function Agents({ facts }: { readonly facts: AgentFacts }): JSX.Element {
  const here = facts.agents.filter(isHere)
  const missing = facts.agents.filter((agent) => !isHere(agent))
  return (
    <>
      <div class={facts.ok ? 'notice' : 'notice problem'}>
        {facts.headline.map((line) => (
          <p key={line}>
            <Prose of={line} />
          </p>
        ))}
      </div>
      <ul class="agent-cards">
        {here.map((agent) => (
          <li key={agent.host}>
            <AgentCard agent={agent} limits={facts.limits.find(({ host }) => host === agent.host)} />
          </li>
        ))}
      </ul>
      {missing.length === 0 ? null : (
        <p class="quiet">Not found on this machine: {missing.map(({ host }) => host).join(', ')}.</p>
      )}
      <Card title="Holdpoint">
        <Facts
          rows={[
            ['Installed copy', facts.build ?? 'none'],
            ['Rules', String(facts.rules)],
            ['Hooks', String(facts.hooks)],
            ['Contracts', String(facts.contracts)],
            ['Exceptions', String(facts.exceptions)],
            ...daemonFacts(facts),
          ]}
        />
      </Card>
    </>
  )
}

function isHere({ found, guarded, elsewhere }: AgentGuard): boolean {
  return found || guarded || elsewhere.length > 0
}

function daemonFacts({ daemon }: AgentFacts): readonly (readonly [string, string])[] {
  if (daemon === undefined) return [['Daemon', 'not running; hooks answer without it']]
  const sinceMs = Date.now() - Date.parse(String(daemon.startedAt))
  return [
    ['Daemon', `running for ${length(sinceMs)}`],
    ['Answered', counted(Number(daemon.answered), 'event')],
    ['Memory', `${daemon.memoryMb} MB`],
    ['Journal', String(daemon.journal)],
  ]
}

interface AgentCardProps {
  readonly agent: AgentGuard
  readonly limits: AgentFacts['limits'][number] | undefined
}

function AgentCard({ agent, limits }: AgentCardProps): JSX.Element {
  const { host, version, guarded, by, because, todo, elsewhere, notProved } = agent
  const cannot = limits === undefined ? [] : [...limits.cannotHold, ...limits.open]
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          {host} <span class="quiet">{version ?? ''}</span>
        </h2>
        <span class={guarded ? 'tag good' : 'tag bad'}>{guarded ? 'guarded' : 'not guarded'}</span>
      </div>
      {guarded ? (
        <p class="place">
          by <Text of={by.join(' and ')} />
        </p>
      ) : (
        <>
          {because.map((why) => (
            <p key={why}>
              <Prose of={why} />
            </p>
          ))}
          <Command text={`holdpoint init --host ${host}`} />
        </>
      )}
      {notProved === true ? <p class="quiet">Nobody has seen this agent obey the hooks.</p> : null}
      {todo.map((line) => (
        <p key={line}>
          <b>To do:</b> <Prose of={line} />
        </p>
      ))}
      {elsewhere.length === 0 ? null : (
        <p class="quiet">
          Hooks are in <Text of={elsewhere.join(', ')} />, which is not read here.
        </p>
      )}
      {cannot.length === 0 ? null : (
        <details>
          <summary>What this agent does not do ({cannot.length})</summary>
          <ul class="plain-list">
            {cannot.map((line) => (
              <li key={line}>
                <Prose of={line} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
