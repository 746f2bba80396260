import { expand, expandWhole, type Variable } from './expand.ts'
import { invoke } from './invoke.ts'
import type { Here, Job } from './job.ts'
import { inputText, outputOf, redirectsInput } from './output.ts'
import { fork, join, type Shell, unknownVariable, widen } from './state.ts'
import type { AssignmentTree, PartTree, RedirectTree, SimpleTree, Tree, WordTree } from './tree.ts'
import { concatForms, exactWord, type Word } from './words.ts'

/** Follows the tree in the order the shell would, collecting every simple command. */
export function walk(tree: Tree, shell: Shell, here: Here, job: Job): void {
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
      walk(tree.body, fork(shell), within(here, tree.how), job)
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

function within(here: Here, how: string): Here {
  return { ...here, via: [...here.via, how] }
}

/** `a || b`: b starts where a failed, so from before it; afterwards either may have happened. */
function walkAndOr(
  steps: readonly { readonly operator: '&&' | '||'; readonly body: Tree }[],
  shell: Shell,
  here: Here,
  job: Job,
): void {
  const before = steps.some((step) => step.operator === '||') ? fork(shell) : shell
  for (const { operator, body } of steps) {
    if (operator === '&&') walk(body, shell, here, job)
    else {
      const other = fork(before)
      walk(body, other, here, job)
      if (!leaves(body)) join(shell, other)
    }
  }
}

const LEAVES = new Set(['exit', 'return', 'break', 'continue'])

/** Nothing after it runs: `… || exit 1`. */
function leaves(tree: Tree): boolean {
  if (tree.kind === 'simple') return LEAVES.has(tree.words[0]?.source ?? '')
  if (tree.kind !== 'sequence') return false
  const last = tree.steps.at(-1)
  return last !== undefined && leaves(last)
}

function walkPipeline(stages: readonly Tree[], shell: Shell, here: Here, job: Job): void {
  let { input } = here
  const first = job.found.length
  for (const [index, stage] of stages.entries()) {
    const inside = index === 0 ? here : { ...within(here, 'pipe'), input }
    walk(stage, fork(shell), inside, job)
    if (index === stages.length - 1) break
    const forms = outputOf(stage, shell, input.forms)
    const piped = forms === undefined && !readsFiles(stage)
    input = { forms, piped, from: [...(here.input.from ?? []), ...job.found.slice(first)] }
  }
}

/** `cat install.sh | sh` is as good as `sh install.sh`: a program, not code made up on the way. */
function readsFiles(stage: Tree): boolean {
  if (stage.kind !== 'simple' || stage.words[0]?.source !== 'cat') return false
  return (
    stage.words.length > 1 && stage.words.every((word) => word.parts.every((part) => part.kind === 'text'))
  )
}

function walkChoice(tree: Extract<Tree, { kind: 'choice' }>, shell: Shell, here: Here, job: Job): void {
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
  shell.oldCwd = by.oldCwd
  for (const [name, value] of by.variables) shell.variables.set(name, value)
  for (const [name, value] of by.functions) shell.functions.set(name, value)
}

/** A first turn, whose findings are thrown away, shows what the loop changes; then it is followed for good. */
function walkLoop(tree: Extract<Tree, { kind: 'loop' }>, shell: Shell, here: Here, job: Job): void {
  const inside = within(here, tree.how)
  for (const word of tree.each?.words ?? []) walkWord(word, shell, here, job)
  if (tree.each !== undefined) shell.variables.set(tree.each.name, itemsOf(tree.each, shell))
  const trial = fork(shell)
  const scratch: Job = { ...job, found: [], functions: [] }
  walk(tree.test, trial, inside, scratch)
  walk(tree.body, trial, inside, scratch)
  widen(shell, trial)
  walk(tree.test, shell, inside, job)
  const body = fork(shell)
  walk(tree.body, body, inside, job)
  join(shell, body)
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
  job: Job,
): void {
  const span = here.outer ?? { start: 0, end: 0, source: '' }
  const redirections = walkRedirects(tree.redirects, shell, here, job)
  const { via } = here
  const fragment = tree.redirects.map((each) => `${each.operator} ${each.target.source}`).join(' ')
  const nothing = { name: '', word: exactWord(''), args: [], assignments: [] }
  job.found.push({
    ...nothing,
    redirections,
    via,
    cwd: shell.cwd,
    fragment,
    start: span.start,
    end: span.end,
  })
  walk(tree.body, shell, { ...here, input: inputAfter(tree.redirects, shell, here) }, job)
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
  job: Job,
): readonly { operator: string; target: Word }[] {
  return redirects.map((redirect) => {
    walkWord(redirect.target, shell, here, job)
    return { operator: redirect.operator, target: expandWhole(redirect.target, shell) }
  })
}

function walkSimple(tree: SimpleTree, shell: Shell, here: Here, job: Job): void {
  for (const word of tree.words) walkWord(word, shell, here, job)
  const assignments = tree.assignments.map((each) => {
    walkAssignment(each, shell, here, job)
    return { name: each.name, value: assignedValue(each, shell) }
  })
  const redirections = walkRedirects(tree.redirects, shell, here, job)
  const words = tree.words.flatMap((word) => expand(word, shell))
  if (words.length === 0) {
    for (const [index, each] of tree.assignments.entries()) assign(each, assignments[index]?.value, shell)
  }
  const span = here.outer ?? tree
  const call = {
    words,
    assignments,
    redirections,
    span: { start: span.start, end: span.end, source: tree.source },
  }
  invoke(call, shell, { ...here, input: inputAfter(tree.redirects, shell, here) }, job)
}

function assignedValue(assignment: AssignmentTree, shell: Shell): Word {
  if (!('elements' in assignment.value)) return expandWhole(assignment.value, shell)
  const source = assignment.value.elements.map((each) => each.source).join(' ')
  return { source: `(${source})`, forms: [[{ kind: 'unknown', text: `(${source})` }]], splits: false }
}

function assign(tree: AssignmentTree, value: Word | undefined, shell: Shell): void {
  const { name } = tree
  const before = shell.variables.get(name)
  if (tree.index !== undefined || value === undefined) shell.variables.set(name, unknownVariable(name))
  else if ('elements' in tree.value) {
    const elements = tree.value.elements.flatMap((each) => expand(each, shell))
    const kept = before !== undefined && 'elements' in before ? before.elements : []
    shell.variables.set(name, { elements: tree.append ? [...kept, ...elements] : elements })
  } else if (!tree.append) shell.variables.set(name, { forms: value.forms })
  else if (before !== undefined && 'forms' in before && before.forms.length * value.forms.length <= 8) {
    shell.variables.set(name, {
      forms: before.forms.flatMap((left) => value.forms.map((right) => concatForms(left, right))),
    })
  } else shell.variables.set(name, unknownVariable(name))
}

/** `(( x = 1 ))` may change any variable it names. */
function forgetAssigned(words: readonly WordTree[], shell: Shell): void {
  for (const word of words) {
    for (const [name] of word.source.matchAll(/[A-Za-z_]\w*/g)) {
      if (shell.variables.has(name)) shell.variables.set(name, unknownVariable(name))
    }
  }
}

function walkAssignment(tree: AssignmentTree, shell: Shell, here: Here, job: Job): void {
  if (tree.index !== undefined) walkWord(tree.index, shell, here, job)
  const words = 'elements' in tree.value ? tree.value.elements : [tree.value]
  for (const word of words) walkWord(word, shell, here, job)
}

/** The commands substituted into a word, at any depth. They run in a subshell with no input of their own. */
function walkWord(word: WordTree, shell: Shell, here: Here, job: Job): void {
  if (word.assignment !== undefined) walkAssignment(word.assignment, shell, here, job)
  for (const part of word.parts) {
    if (part.kind === 'commands') walk(part.body, fork(shell), within(here, part.how), job)
    else if (part.kind === 'variable') {
      if (part.index !== undefined) walkWord(part.index, shell, here, job)
      for (const operand of part.operands) walkWord(operand, shell, here, job)
      if (part.operator === '=' || part.operator === ':=') assignDefault(part, shell)
    } else if (part.kind !== 'text') {
      for (const nested of part.nested) walkWord(nested, shell, here, job)
    }
  }
}

/** `${x:=text}` leaves x set. */
function assignDefault(part: Extract<PartTree, { kind: 'variable' }>, shell: Shell): void {
  const whole = { source: part.source, parts: [{ ...part, quoted: true }] }
  shell.variables.set(part.name, { forms: expandWhole(whole, shell).forms })
}
