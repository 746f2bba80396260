import { assign, assignDefault, assignEntryIn, assignedValue, forgetAssigned } from '../expand/assignments.ts'
import { expand, expandWhole } from '../expand/expand.ts'
import { fileAt, putFile } from '../expand/line-files.ts'
import type { Variable } from '../expand/scope.ts'
import {
  environmentOf,
  fork,
  join,
  joinChanged,
  keepFiles,
  putVariable,
  type Shell,
  setVariable,
  unknownVariable,
  widen,
} from '../expand/state.ts'
import { ANYWHERE } from '../expand/zsh-names.ts'
import type { AssignmentTree, PartTree, RedirectTree, SimpleTree, Tree, WordTree } from '../grammar/tree.ts'
import type { Redirection, SimpleCommand } from '../vocabulary/command.ts'
import { isFound, someOf } from '../words/found.ts'
import { exactForm, exactText, exactWord, type Form, unknownWord, type Word } from '../words/words.ts'
import { invoke, startsOthers } from './invoke.ts'
import { inputText, printedBy, redirectsInput } from './output.ts'
import type { Here, Walk } from './walk-state.ts'
import { writeOutput, writesOutput } from './written-output.ts'

/** Follows the tree in the order the shell would, collecting every simple command. */
export function walk(tree: Tree, shell: Shell, here: Here, job: Walk): void {
  job.budget.left -= 1
  if (job.budget.left < 0 || job.status.why !== undefined) return
  switch (tree.kind) {
    case 'simple':
      walkSimple(tree, shell, here, job)
      break
    case 'sequence':
      for (const step of tree.steps) walk(step, shell, here, job)
      break
    case 'andOr':
      walkAndOr(tree.steps, shell, here, job)
      break
    case 'pipeline':
      walkPipeline(tree.stages, shell, here, job)
      break
    case 'subshell':
      walkApart(tree.body, shell, apartFrom(here, tree.how), job)
      break
    case 'choice':
      walkChoice(tree, shell, here, job)
      break
    case 'loop':
      walkLoop(tree, shell, here, job)
      break
    case 'function': {
      const each = { name: tree.name, body: tree.body, definedIn: fork(shell), called: false }
      shell.functions.set(tree.name, each)
      job.functions.push(each)
      break
    }
    case 'redirected':
      walkRedirected(tree, shell, here, job)
      break
    case 'words':
      for (const word of tree.words) walkWord(word, shell, here, job)
      if (tree.assigns) forgetAssigned(tree.words, shell)
      break
  }
}

/** In a shell of its own: what it changes ends with it, but for the files it wrote. */
function walkApart(tree: Tree, shell: Shell, here: Here, job: Walk): void {
  const apart = fork(shell)
  walk(tree, apart, here, job)
  keepFiles(shell, apart)
}

/** What a coprocess reads is written to it later. */
function apartFrom(here: Here, how: string): Here {
  const inside = within(here, how)
  return how.startsWith('coproc') ? { ...inside, input: { forms: undefined, piped: true } } : inside
}

function within(here: Here, how: string): Here {
  return { ...here, via: [...here.via, how] }
}

/** `a || b`: b starts where a failed, so from before it; afterwards either may have happened. */
function walkAndOr(
  steps: readonly { readonly operator: '&&' | '||'; readonly body: Tree }[],
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  const before = steps.some((step) => step.operator === '||') ? fork(shell) : shell
  let first: Shell | undefined
  for (const { operator, body } of steps) {
    if (operator === '&&') walk(body, shell, here, job)
    else {
      const other = fork(before)
      walk(body, other, here, job)
      if (!leaves(body)) join(shell, other)
    }
    first ??= fork(shell)
  }
  if (first !== undefined) joinChanged(shell, first)
}

const LEAVES = new Set(['exit', 'return', 'break', 'continue'])

/** Nothing after it runs: `… || exit 1`. */
function leaves(tree: Tree): boolean {
  if (tree.kind === 'simple') return LEAVES.has(tree.words[0]?.source ?? '')
  if (tree.kind !== 'sequence') return false
  const last = tree.steps.at(-1)
  return last !== undefined && leaves(last)
}

function walkPipeline(stages: readonly Tree[], shell: Shell, here: Here, job: Walk): void {
  let { input } = here
  const first = job.found.length
  for (const [index, stage] of stages.entries()) {
    const inside = index === 0 ? here : { ...within(here, 'pipe'), input }
    walkApart(stage, shell, inside, job)
    if (index === stages.length - 1) break
    const forms = alsoPiped(stage, shell, input.forms) ?? printedBy(stage, shell, input.forms)
    const piped = forms === undefined && !readsFiles(stage, shell)
    input = { forms, piped, from: [...(here.input.from ?? []), ...job.found.slice(first)] }
  }
}

/** `echo x > file | sh`: zsh writes it to both. Undefined where nothing is redirected, or nothing known comes out. */
function alsoPiped(
  stage: Tree,
  shell: Shell,
  input: readonly Form[] | undefined,
): readonly Form[] | undefined {
  if (stage.kind !== 'simple' || !writesOutput(stage.redirects)) return undefined
  return printed(stage, shell, input).forms
}

/** `cat install.sh | sh` is as good as `sh install.sh`: a program, not code made up on the way. */
function readsFiles(stage: Tree, shell: Shell): boolean {
  if (stage.kind !== 'simple' || stage.words[0]?.source !== 'cat' || stage.words.length < 2) return false
  if (!stage.words.every((word) => word.parts.every((part) => part.kind === 'text'))) return false
  return (
    shell.files.size === 0 ||
    stage.words.every((word) => fileAt(expandWhole(word, shell), shell) === undefined)
  )
}

function walkChoice(tree: Extract<Tree, { kind: 'choice' }>, shell: Shell, here: Here, job: Walk): void {
  walk(tree.test, shell, here, job)
  const before = fork(shell)
  for (const [index, option] of tree.options.entries()) {
    const taken = fork(before)
    walk(option, taken, within(here, tree.how), job)
    if (leaves(option)) continue
    if (index === 0 && tree.total) replace(shell, taken)
    else join(shell, taken)
  }
}

function replace(shell: Shell, by: Shell): void {
  shell.cwd = by.cwd
  shell.mayBeIn = by.mayBeIn
  shell.oldFolder = by.oldFolder
  shell.aliases = by.aliases
  shell.files = by.files
  for (const [name, value] of by.variables) putVariable(shell, name, value)
  for (const [name, letters] of by.marks) shell.marks.set(name, letters)
  shell.exportsAll = by.exportsAll
  for (const [name, value] of by.functions) shell.functions.set(name, value)
}

/** A first turn, whose findings are thrown away, shows what the loop changes; then it is followed for good. */
function walkLoop(tree: Extract<Tree, { kind: 'loop' }>, shell: Shell, here: Here, job: Walk): void {
  const inside = within(here, tree.how)
  for (const word of tree.each?.words ?? []) walkWord(word, shell, here, job)
  if (tree.each !== undefined) setVariable(shell, tree.each.name, itemsOf(tree.each, shell))
  const trial = fork(shell)
  const scratch: Walk = { ...job, found: [], functions: [], deferred: [] }
  walk(tree.test, trial, inside, scratch)
  walk(tree.body, trial, inside, scratch)
  widen(shell, trial)
  walk(tree.test, shell, inside, job)
  const body = fork(shell)
  if (tree.each === undefined && chooses(tree.body)) narrowFound(body)
  walk(tree.body, body, inside, job)
  join(shell, body)
}

/** `while read f; do test -s "$f" || rm "$f"; done`: only some of what was found gets there. */
function chooses(tree: Tree): boolean {
  switch (tree.kind) {
    case 'choice':
      return true
    case 'andOr':
      return tree.steps.slice(0, -1).some(({ body }) => !alwaysWorks(body))
    case 'sequence':
      return tree.steps.some(chooses)
    case 'pipeline':
      return tree.stages.some(chooses)
    case 'redirected':
    case 'subshell':
      return chooses(tree.body)
    default:
      return false
  }
}

const WORK = new Set(['true', ':', 'echo', 'printf'])

/** Says nothing of what comes behind its `&&`. */
function alwaysWorks(tree: Tree): boolean {
  return tree.kind === 'simple' && WORK.has(tree.words[0]?.source ?? '')
}

function narrowFound(shell: Shell): void {
  for (const [name, value] of shell.variables) {
    if ('forms' in value && value.forms.some(isFound))
      shell.variables.set(name, { ...value, forms: value.forms.map(someOf) })
  }
}

function itemsOf(each: { name: string; words: readonly WordTree[] | undefined }, shell: Shell): Variable {
  const words = each.words?.flatMap((word) => expand(word, shell)) ?? shell.positional
  const forms = words?.flatMap((word) => word.forms)
  if (forms === undefined || forms.length > 32) return unknownVariable(each.name)
  return { forms: forms.length === 0 ? [[]] : forms }
}

function walkRedirected(
  tree: Extract<Tree, { kind: 'redirected' }>,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  const span = here.outer ?? { start: 0, end: 0, source: '' }
  const redirections = walkRedirects(tree.redirects, shell, here, job)
  job.found.push({
    name: '',
    word: exactWord(''),
    args: [],
    assignments: [],
    redirections,
    via: here.via,
    cwd: shell.cwd,
    mayBeIn: shell.mayBeIn,
    environment: environmentOf(shell),
    fragment: tree.redirects.map((each) => `${each.operator} ${each.target.source}`).join(' '),
    start: span.start,
    end: span.end,
    inputs: undefined,
    inputText: undefined,
    opaque: undefined,
    remote: here.remote,
    inline: undefined,
  })
  const input = inputAfter(tree.redirects, shell, here)
  const first = job.found.length
  walk(tree.body, shell, { ...here, input }, job)
  if (!writesOutput(tree.redirects)) return
  writeOutput(redirections, printedBy(tree.body, shell, input.forms), writers(first, input, job), shell)
}

/** The commands whose output it is: those just found, and those before the pipe. */
function writers(first: number, input: Here['input'], job: Walk): readonly SimpleCommand[] {
  return [...(input.from ?? []), ...job.found.slice(first)]
}

function inputAfter(redirects: readonly RedirectTree[], shell: Shell, here: Here): Here['input'] {
  const forms = inputText(redirects, shell)
  if (forms !== undefined) return { forms, piped: false }
  return redirectsInput(redirects) ? { forms: undefined, piped: false } : here.input
}

function walkRedirects(
  redirects: readonly RedirectTree[],
  shell: Shell,
  here: Here,
  job: Walk,
): readonly Redirection[] {
  return redirects.map((redirect) => {
    walkWord(redirect.target, shell, here, job)
    const { operator, descriptor } = redirect
    const target = expandWhole(redirect.target, shell)
    return descriptor === undefined ? { operator, target } : { operator, target, descriptor }
  })
}

function walkSimple(tree: SimpleTree, shell: Shell, here: Here, job: Walk): void {
  const { given } = shell
  const inside = given?.over === here.input ? { ...here, input: { forms: given.forms, piped: false } } : here
  walkSimpleIn(tree, shell, inside, job)
  if (shell.given?.over === inside.input) shell.given = { ...shell.given, over: here.input }
}

function walkSimpleIn(tree: SimpleTree, shell: Shell, here: Here, job: Walk): void {
  const around =
    tree.redirects.length === 0 ? here : { ...here, input: inputAfter(tree.redirects, shell, here) }
  for (const word of tree.words) walkWord(word, shell, around, job)
  const assignments = tree.assignments.map((each) => {
    walkAssignment(each, shell, here, job)
    return { name: each.name, value: assignedValue(each, shell) }
  })
  const redirections = walkRedirects(tree.redirects, shell, feeding(tree, shell, here), job)
  openDescriptors(tree.redirects, shell)
  const words = replacedAnywhere(
    tree.words.flatMap((word) => expand(word, shell)),
    shell,
  )
  const unsplit = unsplitWords(tree, shell)
  if (words.length === 0) {
    for (const [index, each] of tree.assignments.entries()) assign(each, assignments[index]?.value, shell)
  }
  // `exec <<< text`: from now on that is the input.
  const opened =
    exactText(words[0]) === 'exec' && words.length === 1 ? inputText(tree.redirects, shell) : undefined
  if (opened !== undefined) shell.given = { forms: opened, over: here.input }
  const span = here.outer ?? tree
  const call = {
    words,
    assignments,
    redirections,
    span: { start: span.start, end: span.end, source: tree.source },
  }
  const input = inputAfter(tree.redirects, shell, here)
  // What is printed is worked out before: `cat x > x` reads what was there.
  if (unsplit !== undefined) {
    // As zsh reads it, in a shell of its own: what it leaves there bash would not.
    invoke({ ...call, words: unsplit }, fork(shell), input === here.input ? here : { ...here, input }, job)
  }
  const output = writesOutput(tree.redirects) ? printed(tree, shell, input.forms) : undefined
  const first = job.found.length
  invoke(call, shell, input === here.input ? here : { ...here, input }, job)
  if (output !== undefined) writeOutput(redirections, output.forms, writers(first, input, job), shell)
}

/**
 * `x='git push --force'; sh -c $x`: zsh hands on the value as one word, which is then code. Undefined where a value with
 * blanks in it could not be any.
 */
function unsplitWords(tree: SimpleTree, shell: Shell): readonly Word[] | undefined {
  const isSplit = tree.words
    .slice(1)
    .some((word) => word.parts.some((part) => part.kind === 'variable' && !part.quoted))
  if (!isSplit) return undefined
  const whole = { ...shell, keepsWords: true }
  const words = tree.words.flatMap((word) => expand(word, whole))
  const [first, ...rest] = words
  const isCode = rest.some((word) => word.forms.some((form) => /\s/.test(exactForm(form) ?? '')))
  return first !== undefined && isCode && startsOthers(words, shell) ? words : undefined
}

/** `galiases[F]=--force; git push F`: a global alias stands for its text wherever it stands. */
function replacedAnywhere(words: readonly Word[], shell: Shell): readonly Word[] {
  if (shell.aliases.size === 0) return words
  return words.flatMap((word) => {
    const text = exactText(word)
    const [body] = (text === undefined ? undefined : shell.aliases.get(`${ANYWHERE}${text}`)) ?? []
    if (body === undefined) return [word]
    const known = exactForm(body)
    return known === undefined ? [unknownWord(word.source)] : known.trim().split(/\s+/).map(exactWord)
  })
}

/** `echo x > >(sh)`: what the command prints is what the other one reads. */
function feeding(tree: SimpleTree, shell: Shell, here: Here): Here {
  if (!tree.redirects.some((each) => each.target.source.startsWith('>('))) return here
  const { forms } = printed(tree, shell, here.input.forms)
  return { ...here, input: { forms, piped: forms === undefined } }
}

/** `exec 3<<< text`, `bash /dev/fd/3 3<<E`: a text that can be read by its number. */
function openDescriptors(redirects: readonly RedirectTree[], shell: Shell): void {
  for (const { operator, descriptor, target } of redirects) {
    if (descriptor === undefined || descriptor < 3 || !operator.startsWith('<<')) continue
    const { forms } = expandWhole(target, shell)
    putFile(shell, exactWord(`/dev/fd/${descriptor}`), { kind: 'text', forms })
  }
}

function printed(
  tree: SimpleTree,
  shell: Shell,
  input: readonly Form[] | undefined,
): { forms: readonly Form[] | undefined } {
  return {
    forms: printedBy(
      { ...tree, redirects: tree.redirects.filter((each) => each.operator.startsWith('<')) },
      shell,
      input,
    ),
  }
}

function walkAssignment(tree: AssignmentTree, shell: Shell, here: Here, job: Walk): void {
  if (tree.index !== undefined) walkWord(tree.index, shell, here, job)
  const words = 'elements' in tree.value ? tree.value.elements : [tree.value]
  for (const word of words) walkWord(word, shell, here, job)
}

/** The commands substituted into a word, at any depth. They run in a subshell with no input of their own. */
function walkWord(word: WordTree, shell: Shell, here: Here, job: Walk): void {
  if (word.assignment !== undefined) walkAssignment(word.assignment, shell, here, job)
  for (const part of word.parts) {
    if (part.kind === 'commands') walkCommands(part, shell, here, job)
    else if (part.kind === 'variable') {
      if (part.index !== undefined) walkWord(part.index, shell, here, job)
      for (const operand of part.operands) walkWord(operand, shell, here, job)
      if (part.operator === '=' || part.operator === ':=') assignDefault(part, shell)
      if (part.source.includes('=')) assignEntryIn(part, shell)
    } else if (part.kind !== 'text') {
      for (const nested of part.nested) walkWord(nested, shell, here, job)
    }
  }
}

function walkCommands(
  part: Extract<PartTree, { kind: 'commands' }>,
  shell: Shell,
  here: Here,
  job: Walk,
): void {
  walkApart(part.body, shell, within(here, part.how), job)
  if (part.how !== '<(…)') return
  // `bash <(echo code)`: a file whose text is what the command prints.
  const forms = printedBy(part.body, shell)
  if (forms !== undefined) putFile(shell, unknownWord(part.source), { kind: 'text', forms })
}
