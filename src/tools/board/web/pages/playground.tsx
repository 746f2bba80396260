import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { JsonObject } from '../../../../core/json.ts'
import type { DiffGroup } from '../../../replay/diff.ts'
import type { DiffAnswer, TriedVerdict, TryAnswer } from '../../api.ts'
import { nowMs } from '../clock.ts'
import { CommandTreeView } from '../command-tree.tsx'
import { EFFECT_WORDS, EffectBadge } from '../effect.tsx'
import { counted, shownTime } from '../format.ts'
import { hello, project } from '../hello.ts'
import { HookRows } from '../hook-rows.tsx'
import { Problem } from '../load.tsx'
import { Card, CopyButton, Page, Select } from '../parts.tsx'
import { Problems } from '../problems.tsx'
import { ProjectSelect } from '../project-select.tsx'
import { postJson, type ServerReply } from '../server-calls.ts'
import { Prose, Text } from '../text.tsx'

const TYPING_MS = 200

const EXAMPLE_DRAFT = `rules:
  - id: team/pull-requests
    match: Bash
    when:
      shell: { command: git, argument: push }
    ask: Push a branch and open a pull request instead.
`

interface Call {
  readonly kind: 'command' | 'tool'
  readonly command: string
  readonly tool: string
  readonly input: string
  readonly host: string
  readonly agentType: string
  readonly skill: string
}

const FIRST: Call = {
  kind: 'command',
  command: 'git push --force origin main',
  tool: 'Write',
  input: '{ "file_path": "src/index.ts", "content": "" }',
  host: '',
  agentType: '',
  skill: '',
}

/** Try a call, or a rule, before an agent does. Nothing is run, and nothing is saved. */
export function PlaygroundPage(): JSX.Element {
  const [call, setCall] = useState(FIRST)
  const [draft, setDraft] = useState('')
  const [answer, setAnswer] = useState<ServerReply<TryAnswer> | undefined>(undefined)
  const at = project.value
  const input = inputOf(call)
  const request = JSON.stringify({ call, draft, at })
  useEffect(() => {
    if (input === undefined || at === '') return
    let isCurrent = true
    const { host, agentType, skill } = call
    const tool = call.kind === 'command' ? 'Bash' : call.tool
    const body = { project: at, tool, input, host, agentType, skill, draft }
    const timer = setTimeout(() => {
      void postJson<TryAnswer>('/api/try', body).then((reply) => isCurrent && setAnswer(reply))
    }, TYPING_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [request])
  return (
    <Page title="Playground" beside={<ProjectSelect />}>
      <p class="quiet">
        Type a call and see what the policy of this project says. Nothing is run, and nothing is saved.
      </p>
      <div class="playground">
        <div>
          <CallForm call={call} onChange={setCall} isBadJson={input === undefined} />
          <DraftForm draft={draft} onChange={setDraft} answer={answer} />
        </div>
        <div aria-live="polite">
          {answer === undefined ? null : answer.ok ? (
            <Answer answer={answer.value} hasDraft={draft.trim() !== ''} />
          ) : (
            <Problem message={answer.refusal.message} />
          )}
        </div>
      </div>
    </Page>
  )
}

/** Undefined while the text is not a JSON object. */
function inputOf(call: Call): JsonObject | undefined {
  if (call.kind === 'command') return { command: call.command }
  try {
    const value: unknown = JSON.parse(call.input)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined
  }
}

interface CallFormProps {
  readonly call: Call
  readonly isBadJson: boolean
  onChange(call: Call): void
}

function CallForm({ call, isBadJson, onChange }: CallFormProps): JSX.Element {
  const change = (changed: Partial<Call>) => onChange({ ...call, ...changed })
  return (
    <Card title="The call">
      <fieldset class="chips">
        <legend class="hidden">What is tried</legend>
        {(['command', 'tool'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            class="chip pass"
            aria-pressed={call.kind === kind}
            onClick={() => change({ kind })}
          >
            {kind === 'command' ? 'A command' : 'Another tool'}
          </button>
        ))}
      </fieldset>
      {call.kind === 'command' ? (
        <label class="field">
          <span>Command</span>
          <textarea
            rows={3}
            spellcheck={false}
            value={call.command}
            onInput={(event) => change({ command: event.currentTarget.value })}
          />
        </label>
      ) : (
        <>
          <label class="field">
            <span>Tool</span>
            <input
              type="text"
              value={call.tool}
              onInput={(event) => change({ tool: event.currentTarget.value })}
            />
          </label>
          <label class="field">
            <span>Input, as JSON</span>
            <textarea
              rows={4}
              spellcheck={false}
              aria-invalid={isBadJson}
              value={call.input}
              onInput={(event) => change({ input: event.currentTarget.value })}
            />
          </label>
          {isBadJson ? <p class="field-problem">This is not a JSON object.</p> : null}
        </>
      )}
      <div class="field-row">
        <Select
          label="Agent"
          value={call.host}
          options={[['', 'Any agent'], ...hello.value.hosts.map((each) => [each, each] as const)]}
          onChange={(host) => change({ host })}
        />
        <label class="field">
          <span>Sub-agent type</span>
          <input
            type="text"
            placeholder="the main agent"
            value={call.agentType}
            onInput={(event) => change({ agentType: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          <span>Skill</span>
          <input
            type="text"
            placeholder="none"
            value={call.skill}
            onInput={(event) => change({ skill: event.currentTarget.value })}
          />
        </label>
      </div>
    </Card>
  )
}

interface DraftFormProps {
  readonly draft: string
  readonly answer: ServerReply<TryAnswer> | undefined
  onChange(draft: string): void
}

function DraftForm({ draft, answer, onChange }: DraftFormProps): JSX.Element {
  const [diff, setDiff] = useState<ServerReply<DiffAnswer> | 'running' | undefined>(undefined)
  const compare = async () => {
    setDiff('running')
    setDiff(await postJson<DiffAnswer>('/api/diff', { project: project.value, draft }))
  }
  const problems = answer?.ok === true ? answer.value.draftProblems : []
  return (
    <Card
      title="A rule to try"
      beside={
        draft === '' ? (
          <button type="button" class="small" onClick={() => onChange(EXAMPLE_DRAFT)}>
            Begin with an example
          </button>
        ) : null
      }
    >
      <label class="field">
        <span>
          Rules, packs or contracts, as in <code>config.yaml</code>. They are added to the policy; a rule with
          the name of another replaces it.
        </span>
        <textarea
          rows={9}
          spellcheck={false}
          value={draft}
          onInput={(event) => {
            setDiff(undefined)
            onChange(event.currentTarget.value)
          }}
        />
      </label>
      {problems.length === 0 ? null : <Problems problems={problems} />}
      <button
        type="button"
        disabled={draft.trim() === '' || diff === 'running'}
        onClick={() => void compare()}
      >
        {diff === 'running' ? 'Comparing…' : 'Compare with recent history'}
      </button>
      {diff === undefined || diff === 'running' ? null : diff.ok ? (
        <Diff diff={diff.value} />
      ) : (
        <Problem message={diff.refusal.message} />
      )}
    </Card>
  )
}

function Answer({
  answer,
  hasDraft,
}: {
  readonly answer: TryAnswer
  readonly hasDraft: boolean
}): JSX.Element {
  const { now, draft, tree, test } = answer
  return (
    <>
      <VerdictCard title={hasDraft ? 'The policy in force' : 'The decision'} verdict={now} />
      {draft === undefined ? null : <VerdictCard title="With your rule" verdict={draft} was={now} />}
      {tree === undefined ? null : (
        <Card title="The command, as Holdpoint read it">
          <CommandTreeView tree={tree} />
        </Card>
      )}
      <Card title="As a test of your policy" beside={<CopyButton text={test} label="Copy the test" />}>
        <pre class="input">
          <Text of={test} lines />
        </pre>
        <p class="quiet">
          Save it in <code>.holdpoint/tests/</code> and run <code>holdpoint test</code>.
        </p>
      </Card>
    </>
  )
}

interface VerdictCardProps {
  readonly title: string
  readonly verdict: TriedVerdict
  readonly was?: TriedVerdict
}

function VerdictCard({ title, verdict, was }: VerdictCardProps): JSX.Element {
  const { effect, reasons, downgraded, hooks, leftOut } = verdict
  return (
    <section class={`verdict ${effect}`}>
      <div class="verdict-head">
        <h2>{title}</h2>
        <EffectBadge effect={effect} />
        {was === undefined || was.effect === effect ? null : (
          <span class="quiet">was: {EFFECT_WORDS[was.effect].toLowerCase()}</span>
        )}
      </div>
      {reasons.map((reason) => (
        <p class="reason" key={reason}>
          <Prose of={reason} />
        </p>
      ))}
      {reasons.length > 0 ? null : <p class="reason quiet">No guard or rule has anything to say.</p>}
      {downgraded.map((line) => (
        <p class="quiet" key={line}>
          This agent: {line}
        </p>
      ))}
      {leftOut.length === 0 ? null : (
        <p class="quiet">
          Not asked, because they start a program: <Text of={leftOut.join(', ')} />
        </p>
      )}
      <HookRows hooks={hooks} said={reasons} />
    </section>
  )
}

function Diff({ diff }: { readonly diff: DiffAnswer }): JSX.Element {
  const { report, problems, since, until } = diff
  if (report === undefined) return <Problems problems={problems} />
  const groups = report.groups ?? []
  const span = since === undefined ? '' : ` since ${shownTime(since, nowMs.value)}`
  return (
    <div class="diff">
      <p>
        <b>
          {groups.length === 0
            ? 'Nothing would be decided differently'
            : `${counted(report.stricter ?? 0, 'call')} stricter, ${report.weaker ?? 0} weaker`}
        </b>{' '}
        among {counted(report.events, 'call')}
        {span}.{until === undefined ? '' : ' Newer calls were left out, because it took too long.'}
      </p>
      <ul>
        {groups.map((group) => (
          <li key={JSON.stringify([group.change, group.was, group.now, group.shape])}>
            <DiffRow group={group} />
          </li>
        ))}
      </ul>
      {report.uncertain === 0 ? null : (
        <p class="quiet">
          {counted(report.uncertain, 'answer')} are not certain, because the record does not hold everything.
        </p>
      )}
    </div>
  )
}

function DiffRow({ group }: { readonly group: DiffGroup }): JSX.Element {
  return (
    <>
      <p class="diff-head">
        <EffectBadge effect={group.from} /> → <EffectBadge effect={group.to} />{' '}
        <b>{counted(group.count, 'call')}</b>{' '}
        <span class="quiet">
          <Text of={group.now === '' ? group.was : group.now} />
        </span>
      </p>
      {group.examples.slice(0, 2).map((example) => (
        <code class="diff-example" key={example}>
          <Text of={example} />
        </code>
      ))}
    </>
  )
}
