import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { BoardState, PendingCall } from '../api.ts'
import { answer, isUnlocked, lock, unlock } from './approval-key.ts'
import { nowMs } from './clock.ts'
import { counted, folderName } from './format.ts'
import { Icon } from './icons.tsx'
import { approvals } from './live-state.ts'
import { Prose, plainText, Text } from './text.tsx'

/** Questions that wait for the person, above every page. */
export function ApprovalBar(): JSX.Element | null {
  const { board, pending } = approvals.value
  const refused = board.kind === 'ready' ? board.refused : []
  if (pending.length === 0 && refused.length === 0 && board.kind !== 'ready') return null
  return (
    <section class="approvals" aria-label="Questions that wait for you">
      {refused.length === 0 ? null : (
        <div class="notice problem" role="alert">
          <p>
            <b>Another board wanted to answer questions and was refused:</b>{' '}
            <Text of={refused.at(-1) ?? ''} />. If that was not you, find out which program it is.
          </p>
        </div>
      )}
      <p class="hidden" role="alert">
        {pending.length === 0 ? '' : `${counted(pending.length, 'call')} waiting for an answer`}
      </p>
      {pending.map((each) => (
        <PendingCard key={each.id} pending={each} board={board} />
      ))}
      {board.kind === 'ready' && pending.length === 0 ? <Readiness board={board} /> : null}
    </section>
  )
}

type Ready = Extract<BoardState, { kind: 'ready' }>

/** Nothing waits: one line that says whether this page could answer. */
function Readiness({ board }: { readonly board: Ready }): JSX.Element {
  if (!isUnlocked.value)
    return <Unlock board={board} words="To answer questions of agents on this page, type your PIN." />
  return (
    <p class="ready">
      <Icon name="allow" size={15} /> This page answers questions of agents.
      <button type="button" class="small" onClick={lock}>
        <Icon name="lock" size={13} /> Lock
      </button>
    </p>
  )
}

function Unlock({ board, words }: { readonly board: Ready; readonly words: string }): JSX.Element {
  const [pin, setPin] = useState('')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setPin('')
    setProblem((await unlock(pin)) ?? '')
    setBusy(false)
  }
  return (
    <form class="unlock" onSubmit={(event) => void submit(event)}>
      <label class="unlock-words" for="pin">
        <Icon name="lock" size={14} /> {words}
      </label>
      <input
        id="pin"
        type="password"
        autocomplete="off"
        disabled={isBusy || board.attempts === 0}
        value={pin}
        onInput={(event) => setPin(event.currentTarget.value)}
      />
      <button type="submit" disabled={isBusy || pin === '' || board.attempts === 0}>
        {isBusy ? 'Checking…' : 'Unlock'}
      </button>
      {problem === '' ? null : (
        <span class="field-problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  )
}

/** The call as the daemon sent it. What cannot be read is shown as it is: the person must see what is signed. */
interface ShownCall {
  readonly host: string
  readonly tool: string
  readonly input: string
  readonly cwd: string
  readonly project: string
  readonly session: string
  readonly agentType: string
  readonly reasons: readonly { readonly by: string; readonly text: string }[]
}

function shownCall(text: string): ShownCall {
  const value = parsed(text)
  const at = (name: string) => (typeof value[name] === 'string' ? value[name] : '')
  const reasons = Array.isArray(value.reasons) ? value.reasons : []
  return {
    host: at('host'),
    tool: at('tool') || at('event'),
    input: at('input'),
    cwd: at('cwd'),
    project: at('project'),
    session: at('session'),
    agentType: at('agentType'),
    reasons: reasons.map((each) => ({ by: String(each?.by ?? ''), text: String(each?.text ?? '') })),
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return { input: text }
  }
}

interface PendingCardProps {
  readonly pending: PendingCall
  readonly board: BoardState
}

function PendingCard({ pending, board }: PendingCardProps): JSX.Element {
  const call = shownCall(pending.call)
  const leftS = Math.max(0, Math.floor((pending.untilMs - nowMs.value) / 1_000))
  return (
    <article
      class="pending"
      aria-label={plainText(`${call.tool} ${call.input.slice(0, 80)} waits for an answer`)}
    >
      <header class="pending-head">
        <span class="badge ask">
          <Icon name="ask" size={13} /> Waits
        </span>
        <b>
          <Text of={call.tool} />
        </b>
        <span class="quiet">
          <Text
            of={`${call.host}${call.agentType === '' ? '' : ` · ${call.agentType}`} in ${folderName(call.project)}`}
          />
        </span>
        <span class={leftS <= 5 ? 'countdown soon' : 'countdown'}>{leftS} s left</span>
      </header>
      <pre class="input">
        <code>
          <Text of={call.input} lines />
        </code>
      </pre>
      {call.reasons.map(({ by, text }) => (
        <p class="reason" key={by + text}>
          <Prose of={text} /> <span class="quiet">({by})</span>
        </p>
      ))}
      <p class="quiet place">
        in <Text of={call.cwd} />
      </p>
      <Answers pending={pending} board={board} session={call.session} />
    </article>
  )
}

function Answers(props: PendingCardProps & { readonly session: string }): JSX.Element {
  const { pending, board, session } = props
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState('')
  const [isSent, setSent] = useState(false)
  if (board.kind !== 'ready') return <CannotAnswer board={board} />
  if (!isUnlocked.value) return <Unlock board={board} words="Type your PIN to answer." />
  const say = async (said: 'once' | 'session' | 'deny') => {
    setSent(true)
    const wrong = await answer(pending, session, board.key, {
      answer: said,
      reason: said === 'deny' ? reason : '',
    })
    setProblem(wrong)
    setSent(wrong === '')
  }
  return (
    <div class="answers">
      <button type="button" class="primary" disabled={isSent} onClick={() => void say('once')}>
        <Icon name="allow" size={14} /> Approve once
      </button>
      <button type="button" disabled={isSent} onClick={() => void say('session')}>
        Approve for this session
      </button>
      <form
        class="deny-form"
        onSubmit={(event) => {
          event.preventDefault()
          void say('deny')
        }}
      >
        <label class="hidden" for={`reason-${pending.id}`}>
          Reason for the agent
        </label>
        <input
          id={`reason-${pending.id}`}
          type="text"
          maxLength={500}
          placeholder="Reason for the agent (optional)"
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <button type="submit" class="danger" disabled={isSent}>
          <Icon name="deny" size={14} /> Deny
        </button>
      </form>
      {problem === '' ? null : (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

function CannotAnswer({ board }: { readonly board: Exclude<BoardState, Ready> }): JSX.Element {
  if (board.kind === 'second') {
    return (
      <p class="quiet">
        Another board answers: <Text of={board.by} />.
      </p>
    )
  }
  if (board.kind === 'unconnected')
    return <p class="quiet">The daemon is not running, so nothing can be answered.</p>
  return (
    <p class="quiet">
      This board only shows. {board.why} <Prose of={board.fix} />
    </p>
  )
}
