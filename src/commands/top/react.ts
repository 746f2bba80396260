import type { Effect } from '../../core/decision.ts'
import type { Key } from './keys.ts'
import { released, rowCount, shownRecords, type TopModel, type TopView, type Typing, VIEWS } from './model.ts'

/** What must be done for a key, beyond a change of the model. */
export type Wish =
  | { readonly kind: 'end' }
  | { readonly kind: 'why'; readonly id: string }
  | { readonly kind: 'session'; readonly id: string }
  | {
      readonly kind: 'answer'
      readonly answer: 'once' | 'session' | 'deny'
      readonly reason: string
      readonly pin: string
    }
  | { readonly kind: 'redraw' }

export interface Reaction {
  readonly model: TopModel
  readonly wish?: Wish
}

/** What keys depend on, beyond the model. */
export interface ShownToPerson {
  /** How many rows of a list fit the screen. */
  readonly page: number
  /** The whole question can be seen. */
  readonly seesQuestion: boolean
}

/** One key. Pure, so that every key can be tested. */
export function reactTo(model: TopModel, key: Key, seen: ShownToPerson): Reaction {
  if (key.kind === 'interrupt') return { model, wish: { kind: 'end' } }
  if (model.typing !== undefined) return typed(model, model.typing, key)
  if (key.kind === 'char') return charPressed(model, key.char, seen.seesQuestion)
  if (key.kind === 'enter') return opened(model)
  if (key.kind === 'tab') return { model: turned(model, 1) }
  if (key.kind === 'right' || key.kind === 'left')
    return { model: turned(model, key.kind === 'right' ? 1 : -1) }
  if (key.kind === 'escape' || key.kind === 'backspace') return { model: closed(model) }
  return { model: moved(model, STEPS[key.kind] ?? 0, seen.page) }
}

const STEPS: Readonly<Record<string, number | 'page' | '-page' | 'first' | 'last'>> = {
  up: -1,
  down: 1,
  pageUp: '-page',
  pageDown: 'page',
  home: 'first',
  end: 'last',
}

function moved(model: TopModel, step: number | 'page' | '-page' | 'first' | 'last', page: number): TopModel {
  const last = Math.max(0, rowCount(model) - 1)
  const by = step === 'page' ? page : step === '-page' ? -page : typeof step === 'number' ? step : 0
  const to = step === 'first' ? 0 : step === 'last' ? last : model.selected + by
  return { ...model, selected: Math.min(last, Math.max(0, to)) }
}

function turned(model: TopModel, by: number): TopModel {
  const view = VIEWS[(VIEWS.indexOf(model.view) + by + VIEWS.length) % VIEWS.length] ?? 'live'
  return shown(model, view)
}

function shown(model: TopModel, view: TopView): TopModel {
  const { session: _session, why: _why, ...rest } = model
  return { ...rest, view, selected: 0, message: '' }
}

/** Steps back out: of a decision, of a session, of a search. */
function closed(model: TopModel): TopModel {
  const { why, session, ...rest } = model
  if (why !== undefined) return session === undefined ? rest : { ...rest, session }
  if (session !== undefined) return { ...rest, selected: 0 }
  return { ...rest, search: '', only: undefined, message: '' }
}

function opened(model: TopModel): Reaction {
  if (model.why !== undefined) return { model: closed(model) }
  if (model.view === 'live') {
    const record = shownRecords(model)[model.selected]
    return record === undefined ? { model } : { model, wish: { kind: 'why', id: record.id } }
  }
  const session =
    model.view === 'sessions' && model.session === undefined ? model.sessions[model.selected] : undefined
  return session === undefined ? { model } : { model, wish: { kind: 'session', id: session.session } }
}

const ONLY: readonly (Effect | undefined)[] = [undefined, 'deny', 'ask', 'allow', 'pass']

function charPressed(model: TopModel, char: string, seesQuestion: boolean): Reaction {
  switch (char) {
    case 'q':
      return { model, wish: { kind: 'end' } }
    case '1':
    case '2':
    case '3':
      return { model: shown(model, VIEWS[Number(char) - 1] ?? 'live') }
    case 'j':
      return { model: moved(model, 1, 1) }
    case 'k':
      return { model: moved(model, -1, 1) }
    case ' ':
      return { model: model.isStill ? released(model) : { ...model, isStill: true } }
    case 'f':
      return { model: { ...model, only: ONLY[(ONLY.indexOf(model.only) + 1) % ONLY.length], selected: 0 } }
    case '/':
      return { model: { ...model, typing: { kind: 'search', text: model.search } } }
    case 'l':
      return { model, wish: { kind: 'redraw' } }
    case 'a':
      return { model: asking(model, 'once', seesQuestion) }
    case 's':
      return { model: asking(model, 'session', seesQuestion) }
    case 'd':
      return { model: asking(model, 'deny', true) }
    default:
      return { model }
  }
}

/** A denial is typed with its reason first; then the PIN, for each answer anew: keys that a program types sign nothing. */
function asking(model: TopModel, answer: 'once' | 'session' | 'deny', seesQuestion: boolean): TopModel {
  if (model.questions.length === 0) return { ...model, message: 'Nothing waits for an answer.' }
  if (!model.mayAnswer) return { ...model, message: model.answers }
  if (!seesQuestion) return { ...model, message: TOO_LONG }
  return { ...model, message: '', typing: { kind: answer === 'deny' ? 'reason' : 'pin', text: '', answer } }
}

const TOO_LONG = 'The call is longer than this screen. Make the terminal larger, or answer in `holdpoint ui`.'

const TYPED_MAX = 500

function typed(model: TopModel, typing: Typing, key: Key): Reaction {
  const { typing: _typing, ...rest } = model
  if (key.kind === 'escape') return { model: rest }
  if (key.kind === 'backspace') {
    return { model: { ...model, typing: { ...typing, text: [...typing.text].slice(0, -1).join('') } } }
  }
  if (key.kind === 'char') {
    const text = `${typing.text}${key.char}`.slice(0, TYPED_MAX)
    // A search shows its rows while it is typed.
    const search = typing.kind === 'search' ? { search: text, selected: 0 } : {}
    return { model: { ...model, ...search, typing: { ...typing, text } } }
  }
  if (key.kind !== 'enter') return { model }
  if (typing.kind === 'search') return { model: { ...rest, search: typing.text, selected: 0 } }
  if (typing.kind === 'reason') {
    return { model: { ...model, typing: { ...typing, kind: 'pin', text: '', reason: typing.text } } }
  }
  const { answer = 'deny', reason = '' } = typing
  return {
    model: { ...rest, message: 'Checking…' },
    wish: { kind: 'answer', answer, reason, pin: typing.text },
  }
}
