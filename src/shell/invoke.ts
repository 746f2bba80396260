import { applyBuiltin, assignedBy } from './builtins.ts'
import { type Code, codeIn } from './code.ts'
import type { Redirection, SimpleCommand } from './command.ts'
import { gate, HOLE } from './gate.ts'
import type { Here, Job } from './job.ts'
import { parse } from './parse.ts'
import { lastPart } from './patterns.ts'
import { fork, type Shell } from './state.ts'
import type { Span } from './tree.ts'
import { type Inner, unwrap } from './unwrap.ts'
import {
  exactForm,
  exactWord,
  type Form,
  hasUnknown,
  isWhollyUnknown,
  textWithHoles,
  unknownWord,
  type Word,
} from './words.ts'

/** A simple command whose words are expanded. */
export interface Call {
  readonly words: readonly Word[]
  readonly assignments: readonly { readonly name: string; readonly value: Word }[]
  readonly redirections: readonly Redirection[]
  readonly span: Span
}

const CODE_DEPTH_MAX = 16
const FOUND_MAX = 4_096
const NAMES_MAX = 8

/** Records the command and follows what it would run in turn: wrapped commands, code strings, functions. */
export function invoke(call: Call, shell: Shell, here: Here, job: Job): void {
  job.budget.left -= 1
  if (job.budget.left < 0 || job.status.why !== undefined) return
  if (job.found.length >= FOUND_MAX) {
    job.status.why = `it runs more than ${FOUND_MAX} commands`
    return
  }
  const [word, ...args] = call.words
  if (word === undefined) {
    if (call.redirections.length + call.assignments.length > 0) {
      record({ name: '', word: exactWord(''), args: [] }, call, shell, here, job)
    }
    return
  }
  for (const name of possibleNames(word)) invokeNamed(name, word, args, call, shell, here, job)
}

/** The program's possible names; undefined among them for one that is not known. */
function possibleNames(word: Word): readonly (string | undefined)[] {
  const names = [...new Set(word.forms.map((form) => exactForm(lastPart(form))))]
  return names.length > NAMES_MAX ? [...names.slice(0, NAMES_MAX), undefined] : names
}

function invokeNamed(
  name: string | undefined,
  word: Word,
  args: readonly Word[],
  call: Call,
  shell: Shell,
  here: Here,
  job: Job,
): void {
  if (name === undefined) {
    // With a known name beside it (`${PYTHON:-python3}`) the unknown one is the person's own setting.
    const named = word.forms.some((form) => exactForm(lastPart(form)) !== undefined)
    const forms = word.forms.filter((form) => exactForm(lastPart(form)) === undefined)
    const opaque =
      !named || forms.length === 0 ? { opaque: 'the program it runs is known only at run time' } : {}
    record(
      { name, word: forms.length === 0 ? unknownWord(word.source) : { ...word, forms }, args, ...opaque },
      call,
      shell,
      here,
      job,
    )
    return
  }
  const place = { cwd: shell.cwd, home: shell.home, input: here.input.forms }
  const unwrapped = unwrap(name, args, place)
  const code = unwrapped === undefined ? codeIn(name, args, here.input) : undefined
  const own = unwrapped?.own ?? code?.own ?? args.length
  const opaque = isOpaque(code, unwrapped?.inner)
    ? { opaque: 'the code it runs is known only at run time' }
    : {}
  record({ name, word, args: args.slice(0, own), ...opaque }, call, shell, here, job)
  applyBuiltin(name, args, shell, here.input.forms)
  callFunction(name, args, call.span, shell, here, job)
  for (const inner of unwrapped?.inner ?? []) followInner(inner, args.slice(0, own), call, shell, here, job)
  if (code !== undefined) followCode(code, call, shell, here, job)
}

function isOpaque(code: Code | undefined, inner: readonly Inner[] | undefined): boolean {
  if (code !== undefined) return code.forms === undefined
  return inner?.some((each) => each.code?.every(isWhollyUnknown) === true && each.code.length > 0) === true
}

function record(
  what: Pick<SimpleCommand, 'name' | 'word' | 'args' | 'opaque'>,
  call: Call,
  shell: Shell,
  here: Here,
  job: Job,
): void {
  const { from } = here.input
  job.found.push({
    ...what,
    assignments: call.assignments,
    redirections: call.redirections,
    via: here.via,
    cwd: shell.cwd,
    fragment: call.span.source.replaceAll(HOLE, '…'),
    start: call.span.start,
    end: call.span.end,
    ...(from === undefined ? {} : { inputs: from }),
  })
}

function callFunction(
  name: string,
  args: readonly Word[],
  span: Span,
  shell: Shell,
  here: Here,
  job: Job,
): void {
  const called = shell.functions.get(name)
  if (called === undefined || here.calls.includes(name)) return
  called.called = true
  const before = shell.positional
  shell.positional = args
  const inside = { ...here, via: [...here.via, `function ${name}`], calls: [...here.calls, name] }
  job.walk(called.body, shell, { ...inside, outer: here.outer ?? span }, job)
  shell.positional = before
}

function followInner(
  inner: Inner,
  own: readonly Word[],
  call: Call,
  shell: Shell,
  here: Here,
  job: Job,
): void {
  const inside = inner.sameShell ? shell : fork(shell)
  if (inner.moved !== undefined) inside.cwd = inner.moved.cwd
  const next = { ...here, via: [...here.via, inner.via] }
  const given = own.flatMap((word) =>
    assignedBy(word).map(({ name, value }) => ({ name, value: { ...word, forms: [value] } })),
  )
  const assignments = [...call.assignments, ...given]
  if (inner.code !== undefined) {
    for (const { name, value } of assignments) inside.variables.set(name, { forms: value.forms })
    for (const form of inner.code) runText(form, inside, { ...next, outer: here.outer ?? call.span }, job)
    return
  }
  // A wrapper hands its files on to the command, so both are said to have them.
  const { redirections, span } = call
  invoke({ words: inner.words ?? [], assignments, redirections, span }, inside, next, job)
}

function followCode(code: Code, call: Call, shell: Shell, here: Here, job: Job): void {
  for (const form of code.forms ?? []) {
    const inside = code.sameShell ? shell : fork(shell)
    if (!code.sameShell) {
      for (const { name, value } of call.assignments) inside.variables.set(name, { forms: value.forms })
      inside.positional = code.positional
    }
    if (code.remote) inside.cwd = shell.home
    const next = { ...here, via: [...here.via, code.via], outer: here.outer ?? call.span }
    // Code read from standard input leaves nothing there for what it runs.
    const input = code.forms === here.input.forms ? { forms: undefined, piped: false } : here.input
    runText(form, inside, { ...next, input }, job)
  }
}

/** Reads text as shell code. What cannot be read makes the whole command line unjudgeable. */
function runText(form: Form, shell: Shell, here: Here, job: Job): void {
  if (isWhollyUnknown(form)) return
  const text = textWithHoles(form)
  const known = hasUnknown(form) ? text.replaceAll(HOLE, '') : text
  const deep = here.codeDepth >= CODE_DEPTH_MAX ? `it holds code more than ${CODE_DEPTH_MAX} deep` : undefined
  const refused = deep ?? gate(known)
  const parsed = refused === undefined ? parse(text) : undefined
  job.budget.left -= Math.ceil(text.length / 64)
  if (parsed?.ok === true) job.walk(parsed.tree, shell, { ...here, codeDepth: here.codeDepth + 1 }, job)
  else job.status.why ??= `${refused ?? parsed?.why} (inside ${here.via.at(-1) ?? 'code'})`
}
