import { describe, expect, it } from 'vitest'
import { commandLinesOf } from '../../core/command-lines.ts'
import type { Answer } from '../../core/decision.ts'
import { type Event, namesOf, subjectOf, toolOf } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import {
  type EventExample,
  type Example,
  type Guard,
  type GuardMatch,
  isGuardMatch,
  LEVELS,
  MODES,
  type Topics,
} from '../../core/guard.ts'
import { withDefaults } from '../../core/pack-options.ts'
import { actorOf, bash, eventOf, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { parse } from '../../shell/grammar/parse.ts'
import { gate } from '../../shell/words/gate.ts'

/**
 * What every guard must have: a readable description, correct examples that it stops and that it passes, in plain
 * form and in the forms that agents wrap commands in, and the same answer every time without changing its input.
 */
export function guardContract(given: Guard): void {
  if (isLeftOut(given.id)) return
  const guard = withOptionDefaults(given)
  describe(guard.id, () => {
    describesItself(guard)
    hasExamples(guard)
    playsExamples(guard)
  })
}

/** Examples get the defaults of the options that the guard reads, as in a session; an example can set others. */
function withOptionDefaults(guard: Guard): Guard {
  const { options } = guard
  if (options === undefined) return guard
  const check: Guard['check'] = (input) =>
    guard.check({ ...input, options: withDefaults(input.options, options) })
  return { ...guard, check }
}

/** `npm test -- force-push` sets this variable to the guards to test. */
function isLeftOut(id: string): boolean {
  const only = process.env.HOLDPOINT_TEST_ONLY ?? ''
  return only !== '' && !only.split(',').includes(id)
}

function describesItself(guard: Guard): void {
  it('has an id that can be used as a path', () => {
    expect(guard.id).toMatch(/^[a-z0-9-]+(\/[a-z0-9-]+)+$/)
  })
  it('says what it stops, why, and what to do instead', () => {
    expect(guard.title).toMatch(/^[A-Z].*[^.\s]$/)
    expect(guard.why).toMatch(/^[A-Z].*\.$/s)
    expect(guard.instead).toMatch(/^\S.*\.$/s)
  })
  it('has a mode for every level, and a higher level is never weaker', () => {
    const strength = LEVELS.map((level) => MODES.indexOf(guard.modes[level]))
    expect(strength.every((each) => each >= 0)).toBe(true)
    expect(strength).toEqual([...strength].sort((left, right) => left - right))
  })
  it('does not suggest a command that it stops', async () => {
    for (const [, command = ''] of guard.instead.matchAll(/`([^`]+)`/g)) {
      expect(await isStopped(guard, bash(command)), command).toBe(false)
    }
  })
}

function hasExamples(guard: Guard): void {
  const { stops, passes } = guard.examples
  it('has at least eight examples of each kind and no duplicates', () => {
    const keys = [...stops, ...passes].map((example) => JSON.stringify(example))
    expect(stops.length).toBeGreaterThanOrEqual(8)
    expect(passes.length).toBeGreaterThanOrEqual(8)
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('is asked about everything it stops: the events in `on`, the tools in `match`', () => {
    expect(stops.filter((example) => !isAsked(guard, eventFor(example)))).toEqual([])
  })
}

/** Examples call `check` directly. In a session, a guard is only asked about its events and its tools. */
function isAsked(guard: Guard, event: Event): boolean {
  if (!guard.on.includes(event.kind)) return false
  if (guard.match === '' || guard.match === '*') return true
  const names = guard.match.split('|')
  const [subject, tool] = [subjectOf(event), toolOf(event)]
  if (subject !== undefined && namesOf(subject).some((name) => names.includes(name))) return true
  return names.includes('Bash') && tool !== undefined && commandLinesOf(tool) !== undefined
}

/** One test covers all examples, because there are thousands: what fails is listed, each with its example. */
function playsExamples(guard: Guard): void {
  const examples = [
    ...guard.examples.stops.map((example) => ({ example, stopped: true })),
    ...guard.examples.passes.map((example) => ({ example, stopped: false })),
  ]
  it('stops and passes its examples as plain commands or calls', async () => {
    const wrong: string[] = []
    for (const { example, stopped } of examples) {
      if ((await isStopped(guard, eventFor(example), example)) !== stopped)
        wrong.push(titled(example, stopped))
    }
    expect(wrong).toEqual([])
  })
  it('gives the same answer twice, without changing its input', async () => {
    for (const { example, stopped } of examples) {
      const event = deepFreeze(eventFor(example))
      const first = await outcomeOf(guard, event, example)
      expect(await outcomeOf(guard, event, example), titled(example, stopped)).toEqual(first)
      const again = await outcomeOf(guard, deepFreeze(eventFor(example)), example)
      expect(again, titled(example, stopped)).toEqual(first)
    }
  })
  it('gives the same answer if a call is delivered again, unless it reads the delivery', async () => {
    if (guard.readsDelivery === true) return
    for (const { example, stopped } of examples) {
      const event = eventFor(example)
      const first = await outcomeOf(guard, event, example)
      const again = await outcomeOf(guard, deliveredAgain(event), example)
      expect(again, titled(example, stopped)).toEqual(first)
    }
  })
  playsForms(guard, process.env.HOLDPOINT_ONE_FORM === '1' ? oneForm : everyForm)
}

/** How a command is written, and the text. */
type Form = readonly [how: string, text: string]
type Choice = (forms: readonly Form[], command: string) => readonly Form[]

/** `npm test` without a name tries one form of each command, another one for each. All others try every form. */
const oneForm: Choice = (forms, command) => forms.filter((_, at) => at === command.length % forms.length)
const everyForm: Choice = (forms) => forms

/** Only what takes long: the commands among the examples, in every wrapper and in every place where they are data. */
export function guardInEveryForm(guard: Guard): void {
  // One that is only about other tools has no command to play.
  if (commandsOf(guard.examples.stops, guard.examples.passes).length === 0) return
  describe(guard.id, () => playsForms(withOptionDefaults(guard), everyForm))
}

function playsForms(guard: Guard, chosen: Choice): void {
  const stops = commandsOf(guard.examples.stops)
  const passes = commandsOf(guard.examples.passes)
  if (stops.length + passes.length === 0) return
  it('gives the same answer to a command in a wrapper', async () => {
    const wrapped = (commands: readonly string[]) => commands.flatMap((each) => chosen(disguises(each), each))
    expect([
      ...(await judgedOtherwise(guard, wrapped(stops), true)),
      ...(await judgedOtherwise(guard, wrapped(passes), false)),
    ]).toEqual([])
  })
  it('does not stop a command as data', async () => {
    // Text that the gate rejects is rejected in every position.
    const readable = [...stops, ...passes].filter((command) => gate(command) === undefined)
    const quoted = readable.flatMap((each) => chosen(asData(each), each))
    expect(await judgedOtherwise(guard, quoted, false)).toEqual([])
  })
}

function commandsOf(...lists: readonly (readonly Example[])[]): readonly string[] {
  return lists.flat().filter((example) => typeof example === 'string')
}

function titled(example: Example, stopped: boolean): string {
  return `${stopped ? 'stops' : 'passes'} ${JSON.stringify(example)}`
}

/** The same call with other ids, in another payload. */
function deliveredAgain(event: Event): Event {
  const raw = {
    tool_name: 'spawn_agent',
    tool_use_id: 'call-2',
    prompt_id: 'prompt-2',
    approval_mode: 'yolo',
  }
  const tool = toolOf(event)
  const again = { ...event, raw, promptId: 'prompt-2' }
  return tool === undefined ? again : ({ ...again, tool: { ...tool, useId: 'call-2' } } as Event)
}

/** The commands with a wrong result. */
async function judgedOtherwise(
  guard: Guard,
  commands: readonly Form[],
  stopped: boolean,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [how, command] of commands) {
    if ((await isStopped(guard, bash(command))) !== stopped) {
      wrong.push(`${stopped ? 'not stopped' : 'stopped'} in ${how}: ${command}`)
    }
  }
  return wrong
}

/**
 * The same command in different wrappers. Ends with a newline if the command may end with a comment or here-document.
 */
function disguises(command: string): readonly Form[] {
  const quoted = singleQuoted(command)
  const prefixed = startsWithProgram(command) ? command : `bash -c ${quoted}`
  return [
    ['bash -c', `bash -c ${quoted}`],
    ['sh -xec in bash -lc', `bash -lc ${singleQuoted(`sh -xec ${quoted}`)}`],
    ['eval', `eval ${quoted}`],
    ['sudo', `sudo ${prefixed}`],
    ['sudo with options', `sudo -n -u root -- ${prefixed}`],
    ['env', `env X=1 ${prefixed}`],
    ['timeout nice', `timeout -s KILL 10 nice -n 5 ${prefixed}`],
    ['&&', `true && ${command}`],
    [';', `cd . ; ${command}`],
    ['a pipe', `echo x | ${startsWithProgram(command) ? command : `{ ${command}\n}`}`],
    ['a subshell', `( ${command}\n)`],
    ['if', `if true; then ${command}\nfi`],
    ['a loop', `for i in 1 2; do ( ${command}\n) done`],
    ['a function', `f() { ${command}\n}; f`],
    ['a substitution', `x=$( ${command}\n)`],
    ['a quoted substitution', `echo "$( ${command}\n)"`],
    ['the background', `{ ${command}\n} &`],
  ]
}

function asData(command: string): readonly Form[] {
  const quoted = singleQuoted(command)
  return [
    ['echo', `echo ${quoted}`],
    ['a commit message', `git commit -m ${quoted}`],
    ['a search pattern', `grep -rn -e ${quoted} docs`],
    ['a quoted here-document', `cat > notes.md <<'END OF NOTES'\n${command}\nEND OF NOTES\n`],
  ]
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A single simple command without assignments before it, so that `sudo` and `env` can be put in front. */
function startsWithProgram(command: string): boolean {
  const parsed = parse(command)
  if (!parsed.ok || parsed.tree.kind !== 'simple') return false
  return parsed.tree.words.length > 0 && parsed.tree.assignments.length === 0
}

function eventFor(example: Example): Event {
  if (typeof example === 'string') return bash(example)
  return 'tool' in example ? toolCall(example.tool, example.input) : eventOf(example.kind, example.fields)
}

async function outcomeOf(guard: Guard, event: Event, example?: Example): Promise<GuardMatch | Answer | null> {
  const about: Partial<EventExample> = typeof example === 'object' && 'kind' in example ? example : {}
  const { files = {}, options = {}, memory, agents, ran = [] } = about
  const input = { event, actor: actorOf(event), facts: frozenFacts({ files }), options, memory }
  const outcome = await guard.check({
    ...input,
    ...(agents === undefined ? {} : { agents }),
    ran: new Map(ran),
  })
  // The quick check and the topics may skip a full check, but never one that would match.
  if (outcome !== null) {
    expect(guard.concerns?.(event, input.facts)).not.toBe(false)
    expect(
      guard.topics === undefined || guard.topics.some((topics) => isAbout(topics, event, input.facts)),
    ).toBe(true)
  }
  return outcome
}

function isAbout({ of, any }: Topics, event: Event, facts: Facts): boolean {
  const found = of(event, facts)
  return any.some((topic) => found.has(topic))
}

async function isStopped(guard: Guard, event: Event, example?: Example): Promise<boolean> {
  const outcome = await outcomeOf(guard, event, example)
  if (outcome === null) return false
  if (isGuardMatch(outcome) || outcome.output !== undefined) return true
  return outcome.effect === 'ask' || outcome.effect === 'deny'
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}
