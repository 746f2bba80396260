import { describe, expect, it } from 'vitest'
import type { Answer } from '../decision.ts'
import type { Event } from '../event.ts'
import { gate } from '../shell/gate.ts'
import { parse } from '../shell/parse.ts'
import { actorOf, bash, eventOf, frozenFacts, toolCall } from '../testing/events.ts'
import { type Caught, type EventExample, type Example, type Guard, isCaught, LEVELS, MODES } from './guard.ts'

/**
 * What every guard owes: a readable description, examples on both sides that hold, also in the disguises an agent
 * puts a command into, and the same answer every time without touching its input.
 */
export function guardContract(guard: Guard): void {
  describe(guard.id, () => {
    describesItself(guard)
    hasExamples(guard)
    describe.each(guard.examples.stops.map(titled))('stops %s', (_title, example) =>
      holds(guard, example, true),
    )
    describe.each(guard.examples.passes.map(titled))('passes %s', (_title, example) =>
      holds(guard, example, false),
    )
  })
}

function describesItself(guard: Guard): void {
  it('has an id that can be a path', () => {
    expect(guard.id).toMatch(/^[a-z0-9-]+(\/[a-z0-9-]+)+$/)
  })
  it('says what it is, why it stops and what to do instead', () => {
    expect(guard.title).toMatch(/^[A-Z].*[^.\s]$/)
    expect(guard.why).toMatch(/^[A-Z].*\.$/s)
    expect(guard.instead).toMatch(/^\S.*\.$/s)
  })
  it('has a mode for every level, never weaker at a higher one', () => {
    const strength = LEVELS.map((level) => MODES.indexOf(guard.modes[level]))
    expect(strength.every((each) => each >= 0)).toBe(true)
    expect(strength).toEqual([...strength].sort((left, right) => left - right))
  })
  it('does not suggest what it stops', async () => {
    for (const [, command = ''] of guard.instead.matchAll(/`([^`]+)`/g)) {
      expect(await isStopped(guard, bash(command)), command).toBe(false)
    }
  })
}

function hasExamples(guard: Guard): void {
  const { stops, passes } = guard.examples
  it('has examples on both sides, each once', () => {
    const keys = [...stops, ...passes].map((example) => JSON.stringify(example))
    expect(stops.length).toBeGreaterThanOrEqual(8)
    expect(passes.length).toBeGreaterThanOrEqual(8)
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('has keywords that occur in every plain command it stops', () => {
    const plain = stops.filter((example) => typeof example === 'string' && /^[\w\s./:=+,-]*$/.test(example))
    for (const example of guard.keywords === undefined ? [] : plain) {
      expect(
        guard.keywords?.some((word) => String(example).includes(word)),
        String(example),
      ).toBe(true)
    }
  })
}

function titled(example: Example): [string, Example] {
  return [JSON.stringify(example).slice(0, 100), example]
}

function holds(guard: Guard, example: Example, stopped: boolean): void {
  it('as written', async () => {
    expect(await isStopped(guard, eventFor(example), example)).toBe(stopped)
  })
  it('twice the same, without changing its input', async () => {
    const event = deepFreeze(eventFor(example))
    const first = await outcomeOf(guard, event, example)
    expect(await outcomeOf(guard, event, example)).toEqual(first)
    expect(await outcomeOf(guard, deepFreeze(eventFor(example)), example)).toEqual(first)
  })
  if (typeof example !== 'string') return
  it('in every disguise', async () => {
    expect(await judgedOtherwise(guard, chosen(disguises(example), example), stopped)).toEqual([])
  })
  // Text the gate refuses is refused wherever it stands.
  if (gate(example) !== undefined) return
  it('not as data', async () => {
    expect(await judgedOtherwise(guard, asData(example), false)).toEqual([])
  })
}

/** Every day a third of them, another third for every example; `npm run test:long` tries all. */
function chosen<T>(all: readonly T[], example: string): readonly T[] {
  if (process.env.HOLDPOINT_EVERY_DISGUISE === '1') return all
  return all.filter((_, at) => (at + example.length) % 3 === 0)
}

/** Those of the commands that come out differently. One test for all: there are tens of thousands. */
async function judgedOtherwise(
  guard: Guard,
  commands: readonly (readonly [string, string])[],
  stopped: boolean,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [how, command] of commands) {
    if ((await isStopped(guard, bash(command))) !== stopped) wrong.push(`${how}: ${command}`)
  }
  return wrong
}

/** The same command, reached another way. Ends with a newline where a comment or here-document may stand last. */
function disguises(command: string): [string, string][] {
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

function asData(command: string): [string, string][] {
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

/** One simple command without assignments before it: what `sudo` and `env` can stand in front of. */
function startsWithProgram(command: string): boolean {
  const parsed = parse(command)
  if (!parsed.ok || parsed.tree.kind !== 'simple') return false
  return parsed.tree.words.length > 0 && parsed.tree.assignments.length === 0
}

function eventFor(example: Example): Event {
  if (typeof example === 'string') return bash(example)
  return 'tool' in example ? toolCall(example.tool, example.input) : eventOf(example.kind, example.fields)
}

async function outcomeOf(guard: Guard, event: Event, example?: Example): Promise<Caught | Answer | null> {
  const about: Partial<EventExample> = typeof example === 'object' && 'kind' in example ? example : {}
  const { files = {}, options = {}, memory, agents, ran = [] } = about
  const input = { event, actor: actorOf(event), facts: frozenFacts({ files }), options, memory }
  const outcome = await guard.check({
    ...input,
    ...(agents === undefined ? {} : { agents }),
    ran: new Map(ran),
  })
  // The look beforehand may spare a check, never a catch.
  if (outcome !== null) expect(guard.concerns?.(event, input.facts)).not.toBe(false)
  return outcome
}

async function isStopped(guard: Guard, event: Event, example?: Example): Promise<boolean> {
  const outcome = await outcomeOf(guard, event, example)
  if (outcome === null) return false
  if (isCaught(outcome) || outcome.output !== undefined) return true
  return outcome.effect === 'ask' || outcome.effect === 'deny'
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}
