import { assignedBy } from '../expand/assigned-by.ts'
import { knownTextAt } from '../expand/line-files.ts'
import { AUTO_CD } from '../expand/scope.ts'
import {
  assignExported,
  childOf,
  duringCommand,
  environmentOf,
  fork,
  keepFiles,
  putVariable,
  type Shell,
} from '../expand/state.ts'
import { parse } from '../grammar/parse.ts'
import type { Span } from '../grammar/tree.ts'
import { programOf } from '../programs/index.ts'
import { usualName } from '../programs/usual-name.ts'
import type { Redirection, SimpleCommand } from '../vocabulary/command.ts'
import { isOpaqueRun, type Launch, RUN_TIME_CODE, type StartedCommand } from '../vocabulary/launch.ts'
import { gate, HOLE } from '../words/gate.ts'
import { disguised } from '../words/look-alikes.ts'
import { lastPart } from '../words/patterns.ts'
import {
  exactForm,
  exactWord,
  type Form,
  hasUnknown,
  isWhollyUnknown,
  textPiece,
  textWithHoles,
  unknownWord,
  type Word,
} from '../words/words.ts'
import { settingRun } from './environment.ts'
import { launchOf } from './launching.ts'
import type { Here, Walk } from './walk-state.ts'
import { contentOf } from './written-output.ts'

/** A simple command whose words are expanded. */
export interface ExpandedCommand {
  readonly words: readonly Word[]
  readonly assignments: readonly { readonly name: string; readonly value: Word }[]
  readonly redirections: readonly Redirection[]
  readonly span: Span
}

const CODE_DEPTH_MAX = 16
const FOUND_MAX = 4_096
const NAMES_MAX = 8
/** Wrappers around wrappers: no honest line has so many, and each is a step deeper here. */
const VIA_MAX = 100

/** Records the command and follows what it would run in turn: wrapped commands, code strings, functions. */
export function invoke(call: ExpandedCommand, shell: Shell, here: Here, job: Walk): void {
  job.budget.left -= 1
  if (job.budget.left < 0 || job.status.why !== undefined) return
  if (job.found.length >= FOUND_MAX) {
    job.status.why = `it runs more than ${FOUND_MAX} commands`
    return
  }
  if (here.via.length > VIA_MAX) {
    job.status.why = `it wraps commands more than ${VIA_MAX} deep`
    return
  }
  job.status.why ??= disguised(call.words)
  if (job.status.why !== undefined) return
  const [word, ...args] = call.words
  if (word === undefined) {
    if (call.redirections.length + call.assignments.length === 0) return
    record(
      { name: '', word: exactWord(''), args: [], opaque: undefined, inline: undefined },
      call,
      shell,
      here,
      job,
    )
    followSettings(call, shell, here, job)
    return
  }
  for (const name of possibleNames(word)) {
    // A function or an alias of this line is what it says it is.
    const own = name === undefined || shell.functions.has(name) || shell.aliases.has(name)
    invokeNamed(own ? name : usualName(name), word, args, call, shell, here, job)
  }
}

/** Is it a program that takes code or a command among its words? */
export function startsOthers([word, ...args]: readonly Word[], shell: Shell): boolean {
  if (word === undefined) return false
  const input = { forms: undefined, piped: false }
  return possibleNames(word).some((name) => {
    const call = { name: name ?? '', word, args, assignments: [], environment: [], place: shell, input }
    const launch = launchOf(call)
    return launch !== undefined && (launch.runs.length > 0 || launch.inline !== undefined)
  })
}

/** The program's possible names; undefined among them for one that is not known. */
function possibleNames(word: Word): readonly (string | undefined)[] {
  const [only] = word.forms
  if (word.forms.length === 1 && only !== undefined) return [nameIn(only)]
  const names = [...new Set(word.forms.map(nameIn))]
  return names.length > NAMES_MAX ? [...names.slice(0, NAMES_MAX), undefined] : names
}

/** Names under which zsh has its own copies of programs, `=rm` for the program that it finds; `^rm` of nu, `e:rm` of elvish. */
function withoutPrefix(name: string): string {
  return PREFIXED.test(name) ? name.replace(PREFIXED, '') : name
}

const PREFIXED = /^(?:=|\^|e:)(?=[\w./])|^zf_(?=(?:rm|mv|ln|chmod|chown|chgrp|mkdir|rmdir|sync)$)/

function nameIn(form: Form): string | undefined {
  const name = exactForm(lastPart(form))
  return name === undefined ? undefined : withoutPrefix(name)
}

function invokeNamed(
  name: string | undefined,
  word: Word,
  args: readonly Word[],
  call: ExpandedCommand,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  const launch = launchOf({
    name: name ?? '',
    word,
    args,
    assignments: call.assignments,
    environment: environmentOf(shell),
    place: shell,
    input: here.input,
  })
  if (name === undefined) recordUnnamed(word, args, launch, call, shell, here, job)
  else {
    const own = launch?.own ?? args.length
    const opaque = launch?.opaque ?? (launch?.runs.some(isOpaqueRun) === true ? RUN_TIME_CODE : undefined)
    const inline = launch?.inline
    if (inline !== undefined) job.budget.left -= costOf(inline.code)
    const given = own < args.length ? args.slice(0, own) : args
    record({ name, word, args: given, opaque, inline }, call, shell, here, job)
    const { forms, from = [] } = here.input
    const program = programOf(name)
    program?.changesShell?.(args, shell, { input: forms, assignments: call.assignments })
    if (args.length === 0 && word.source.includes('/') && shell.variables.has(AUTO_CD))
      programOf('cd')?.changesShell?.([word], shell, { input: undefined, assignments: [] })
    program?.leaves?.(args, shell, { ...here.input, content: () => contentOf(forms, from) })
    callFunction(name, args, call, shell, here, job)
    callAlias(name, args, call, shell, here, job)
  }
  if (launch !== undefined) followRuns(launch, args, call, shell, here, job)
  if (launch?.runs.every((run) => run.words === undefined) !== false) followSettings(call, shell, here, job)
}

/** Code for another language is read anew for every command that has it. */
function costOf(code: readonly Form[]): number {
  return (
    code.reduce((sum, form) => sum + form.reduce((length, piece) => length + piece.text.length, 0), 0) / 16
  )
}

/** With a known name beside it (`${PYTHON:-python3}`) the unknown one is the person's own setting. */
function recordUnnamed(
  word: Word,
  args: readonly Word[],
  launch: Launch | undefined,
  call: ExpandedCommand,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  const named = word.forms.some((form) => exactForm(lastPart(form)) !== undefined)
  const forms = word.forms.filter((form) => exactForm(lastPart(form)) === undefined)
  const known = (named && forms.length > 0) || (launch !== undefined && launch.opaque === undefined)
  const opaque = known ? undefined : (launch?.opaque ?? 'the program it runs is known only at run time')
  const shown = forms.length === 0 ? unknownWord(word.source) : { ...word, forms }
  record({ name: undefined, word: shown, args, opaque, inline: undefined }, call, shell, here, job)
}

function record(
  { name, word, args, opaque, inline }: RecordedCommand,
  call: ExpandedCommand,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  job.found.push({
    name,
    word,
    args,
    assignments: call.assignments,
    redirections: call.redirections,
    via: here.via,
    cwd: shell.cwd,
    mayBeIn: shell.mayBeIn,
    environment: environmentOf(shell),
    fragment: fragmentOf(call.span),
    start: call.span.start,
    end: call.span.end,
    inputs: here.input.from,
    inputText: here.input.forms ?? readText(name, args, shell),
    opaque,
    remote: here.remote,
    inline,
  })
}

type RecordedCommand = Pick<SimpleCommand, 'name' | 'word' | 'args' | 'opaque' | 'inline'>

/** `echo 'DROP TABLE x' > a.sql; psql -f a.sql`: a file of this line is as good as its text on standard input. */
function readText(
  name: string | undefined,
  args: readonly Word[],
  shell: Shell,
): readonly Form[] | undefined {
  if (shell.files.size === 0) return undefined
  const texts =
    programOf(name)
      ?.readsText?.(args)
      .flatMap((word) => knownTextAt(word, shell) ?? []) ?? []
  return texts.length === 0 ? undefined : texts
}

function fragmentOf({ source }: Span): string {
  return source.includes(HOLE) ? source.replaceAll(HOLE, '…') : source
}

function callFunction(
  name: string,
  args: readonly Word[],
  { assignments, span }: ExpandedCommand,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  const called = shell.functions.get(name)
  if (called === undefined || here.calls.includes(name)) return
  called.called = true
  const before = shell.positional
  shell.positional = args
  const inside = { ...here, via: [...here.via, `function ${name}`], calls: [...here.calls, name] }
  duringCommand(shell, assignments, () =>
    job.walk(called.body, shell, { ...inside, outer: here.outer ?? span }, job),
  )
  shell.positional = before
}

/** `alias w='rm -rf'; w /`: the text of the alias, with the arguments behind it. */
function callAlias(
  name: string,
  args: readonly Word[],
  call: ExpandedCommand,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  const body = shell.aliases.get(name)
  if (body === undefined || here.calls.includes(name)) return
  const code = body.map((form) => [...form, textPiece(' "$@"')])
  const inside = { ...here, calls: [...here.calls, name] }
  const before = shell.positional
  followRun({ via: `alias ${name}`, code, positional: args, shell: 'same' }, [], call, shell, inside, job)
  shell.positional = before
}

function followRuns(
  launch: Launch,
  args: readonly Word[],
  call: ExpandedCommand,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  const given = args.slice(0, launch.own).flatMap(givenBy)
  for (const run of launch.runs) {
    if (run.atEnd === true) job.deferred.push(() => followRun(run, given, call, shell, here, job))
    else followRun(run, given, call, shell, here, job)
  }
}

function followRun(
  run: StartedCommand,
  given: ExpandedCommand['assignments'],
  call: ExpandedCommand,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  const script = run.script === undefined ? undefined : `file ${run.script}`
  if (script !== undefined && here.calls.includes(script)) return
  const inside = run.shell === 'same' ? shell : run.shell === 'child' ? childOf(shell) : fork(shell)
  if (run.bare === true) unexport(inside)
  if (run.remote !== undefined) inside.readNow = undefined
  // Another machine is entered in the home folder there.
  const moved = run.moved ?? (run.remote === undefined ? undefined : { cwd: shell.home })
  if (moved !== undefined) {
    inside.cwd = moved.cwd
    inside.mayBeIn = moved.mayBeIn
  }
  const { from } = here.input
  const closed = { forms: undefined, piped: false, ...(from === undefined ? {} : { from }) }
  const input = run.fed === true ? { ...closed, piped: true } : run.takesInput === true ? closed : here.input
  const remote = run.remote ?? here.remote
  const next: Here = {
    ...here,
    via: [...here.via, run.via],
    input,
    ...(script === undefined ? {} : { calls: [...here.calls, script] }),
    ...(remote === undefined ? {} : { remote }),
  }
  const assignments = given.length === 0 ? call.assignments : [...call.assignments, ...given]
  if (run.code !== undefined) {
    if (run.exportsAll === true) inside.exportsAll = true
    if (run.positional !== undefined || run.shell === 'child') inside.positional = run.positional
    if (run.zero !== undefined) inside.variables.set('0', { forms: run.zero.forms })
    const outer = here.outer ?? call.span
    const read = (): void => {
      for (const form of run.code ?? []) runText(form, inside, { ...next, outer }, job, run.setting === true)
    }
    // A shell that ends keeps nothing; this one has its own variables back.
    if (run.shell === 'same') duringCommand(inside, assignments, read)
    else {
      assignExported(inside, assignments)
      read()
    }
  } else {
    // A wrapper hands its files on to the command, so both are said to have them.
    const { redirections, span } = call
    invoke({ words: run.words ?? [], assignments, redirections, span }, inside, next, job)
  }
  if (remote === undefined) keepFiles(shell, inside)
}

/** `env -i`: what was exported is gone for the programs behind it. */
function unexport(shell: Shell): void {
  for (const [name, value] of shell.variables) {
    if (value.exported === true) putVariable(shell, name, { ...value, exported: false })
  }
}

/** `PAGER='code' git log`: the variables before a command that are commands themselves. */
function followSettings(call: ExpandedCommand, shell: Shell, here: Here, job: Walk): void {
  const [word, ...args] = call.words
  const declared = programOf(word?.source)?.declares === true ? args.flatMap(givenBy) : []
  for (const { name, value } of [...call.assignments, ...declared]) {
    const run = settingRun(name, value)
    if (run !== undefined) followRun(run, [], { ...call, assignments: [] }, shell, here, job)
  }
}

function givenBy(word: Word): ExpandedCommand['assignments'] {
  return assignedBy(word).map(({ name, value }) => ({ name, value: { ...word, forms: [value] } }))
}

/** Reads text as shell code. What cannot be read makes the whole command line unjudgeable, unless it may be no code. */
function runText(form: Form, shell: Shell, here: Here, job: Walk, setting: boolean): void {
  if (isWhollyUnknown(form)) return
  const text = textWithHoles(form)
  const known = hasUnknown(form) ? text.replaceAll(HOLE, '') : text
  const deep = here.codeDepth >= CODE_DEPTH_MAX ? `it holds code more than ${CODE_DEPTH_MAX} deep` : undefined
  const refused = deep ?? gate(known)
  const parsed = refused === undefined ? parse(text) : undefined
  job.budget.left -= Math.ceil(text.length / 64)
  if (parsed?.ok === true) job.walk(parsed.tree, shell, { ...here, codeDepth: here.codeDepth + 1 }, job)
  else if (!setting) job.status.why ??= `${refused ?? parsed?.why} (inside ${here.via.at(-1) ?? 'code'})`
}
