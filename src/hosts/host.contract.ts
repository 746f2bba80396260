import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Effect, Finding, Reply } from '../core/decision.ts'
import { combine } from '../core/engine/combine.ts'
import { fitToHost } from '../core/engine/fit-to-host.ts'
import { EVENT_KINDS, type Event, type EventKind } from '../core/event.ts'
import { type Abilities, type Host, PAYLOAD_MAX_BYTES } from '../core/host.ts'
import { isObject, type JsonObject } from '../core/json.ts'

/** What the real program does with a reply: written from its documentation and runs, not from our encoder. */
export interface Obeyed {
  readonly does: 'goes on' | 'stops' | 'asks' | 'skips the prompt'
  /** What the model is told about it. */
  readonly reason?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly context?: string
  /** What the person sees. */
  readonly notice?: string
  readonly ends?: boolean
}

export interface HostCases {
  readonly host: Host
  /** Recorded payloads, by a name that starts with the event's. */
  readonly fixtures: ReadonlyMap<string, string>
  /** The host's own word for each kind, for payloads nobody recorded. */
  payloadFor(kind: EventKind): string | undefined
  obeys(reply: Reply, event: Event): Obeyed
  /** Its payloads do not name the event: the entry does. */
  readonly namedByEntry?: true
}

/** The recorded payloads of a host, by file name. */
export function recordedIn(hostFolder: string): ReadonlyMap<string, string> {
  const folder = join(hostFolder, 'fixtures')
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** A reply's JSON, or undefined where it has none. */
export function bodyOf(reply: Reply): JsonObject | undefined {
  if (reply.stdout.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(reply.stdout)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The tests that every host must pass. A new host is checked by its recorded payloads and its own reading of replies. */
export function hostContract(cases: HostCases): void {
  const { host } = cases
  const decode = (payload: string, event?: string) =>
    host.decode({
      payload,
      cwd: '/srv/elsewhere',
      ...(cases.namedByEntry && event !== undefined ? { event } : {}),
    })
  const eventFor = (kind: EventKind): Event | undefined => {
    const payload = cases.payloadFor(kind)
    const decoded = payload === undefined ? undefined : decode(payload, kind)
    return decoded?.ok ? decoded.value : undefined
  }
  const offered = EVENT_KINDS.filter((kind) => host.events[kind] !== undefined)

  describe(`host ${host.id}: decode`, () => {
    it.each([...cases.fixtures])('reads the recorded payload %s and keeps it whole', (name, payload) => {
      const kind = name.split('.')[0]
      const decoded = decode(payload, kind)
      if (!decoded.ok) throw new Error(decoded.problem.message)
      expect(decoded.value.kind).toBe(kind)
      expect(decoded.value.raw).toEqual(JSON.parse(payload))
      expect(decoded.value.host).toBe(host.id)
    })

    it.each(offered)('knows the event %s', (kind) => {
      expect(eventFor(kind)?.kind).toBe(kind)
    })

    it('never throws, and never creates an event from invalid input', () => {
      fc.assert(
        fc.property(
          fc.oneof(fc.string(), fc.json(), fc.constantFrom(...cases.fixtures.values()).chain(mangled)),
          (text) => {
            const decoded = decode(text)
            if (decoded.ok) expect(isObject(decoded.value.raw)).toBe(true)
            else expect(decoded.problem.code).toMatch(/^PAYLOAD_/)
          },
        ),
      )
    })

    it('judges or refuses a call of an event that a newer version brings', () => {
      const call = cases.payloadFor('PreToolUse')
      if (call === undefined || host.events.PreToolUse?.deny !== true) return
      const named = renamedEvent(host, JSON.parse(call))
      const event = named.isInPayload ? {} : { event: 'Zork' }
      const decoded = host.decode({ payload: JSON.stringify(named.payload), cwd: '/', ...event })
      // What cannot be read is stopped by the last resort.
      if (!decoded.ok) return expect(decoded.problem.code).toMatch(/^(?:PAYLOAD|EVENT)_/)
      const can = host.abilitiesAt?.(decoded.value) ?? host.events[decoded.value.kind]
      if (can === undefined) throw new Error(`nothing is known of ${decoded.value.kind}`)
      const denied = combine([{ hook: 'team/rule', hookIndex: 0, effect: 'deny', reason: 'no' }])
      const reply = host.encode(fitToHost(denied, can), decoded.value)
      expect(reply.exitCode === 2 || cases.obeys(reply, decoded.value).does === 'stops').toBe(true)
    })

    it('keeps fields that a newer version brings, and reads the others as before', () => {
      for (const kind of offered) {
        const payload = cases.payloadFor(kind) ?? '{}'
        const more = { zork: { deep: [1, null] }, another_field: 'x' }
        const newer = decode(JSON.stringify({ ...JSON.parse(payload), ...more }), kind)
        const { raw: _before, ...before } = eventFor(kind) ?? { raw: {} }
        expect(newer).toMatchObject({ ok: true, value: { ...before, raw: more } })
      }
    })

    it('has a bound on what it reads', () => {
      expect(PAYLOAD_MAX_BYTES).toBeGreaterThan(10 * 1024 * 1024)
    })
  })

  describe.each(offered)(`host ${host.id}: encode at %s`, (kind) => {
    const can = host.events[kind] as Abilities
    const event = eventFor(kind)
    if (event === undefined) throw new Error(`no payload for ${kind}`)
    const reply = (finding: Partial<Finding>) =>
      cases.obeys(
        host.encode(
          fitToHost(combine([{ hook: 'team/rule', hookIndex: 0, effect: 'pass', ...finding }]), can),
          event,
        ),
        event,
      )

    it('obeys each effect as far as it declares, and never weakens one silently', () => {
      for (const effect of ['pass', 'allow', 'ask', 'deny'] as const) {
        const obeyed = reply({ effect, reason: 'because of tests' })
        expect([effect, obeyed.does]).toEqual([effect, expected(effect, can)])
        if (effect === 'deny')
          expect(`${obeyed.reason ?? ''}${obeyed.notice ?? ''}`).toContain('because of tests')
      }
    })

    it('sends nothing if there is no opinion', () => {
      expect(reply({})).toEqual({ does: 'goes on' })
    })

    it('always gives a reason for a block', () => {
      if (can.deny) expect(reply({ effect: 'deny' }).reason).toMatch(/\S/)
    })

    it('passes context, a new input and a new output on where it can, and never where it cannot', () => {
      const obeyed = reply({ context: [{ text: 'keep in mind', to: 'self' }], output: 'new output' })
      expect(obeyed.context).toBe(can.context ? 'keep in mind' : undefined)
      expect(obeyed.output).toBe(can.output ? 'new output' : undefined)
      const rewritten = reply({ rewrite: { command: 'safe' } })
      if (can.rewrite === true) expect(rewritten).toEqual({ does: 'goes on', input: { command: 'safe' } })
      else expect(rewritten.does).toBe(can.deny ? 'stops' : 'goes on')
    })

    it('shows the notices of hooks to the user', () => {
      if (can.deny || can.context)
        expect(reply({ notices: ['look here'] }).notice ?? '').toContain(spoken(event, 'look here'))
    })

    it('ends the workflow only in addition to a decision, never instead of one', () => {
      expect(reply({ effect: 'deny', reason: 'no', halt: 'over' }).does).toBe(expected('deny', can))
    })
  })

  describe(`host ${host.id}: refuse`, () => {
    const problem = { code: 'PAYLOAD_EMPTY', message: 'nothing came' } as const
    it.each(offered)('at %s denies by exit code, or continues with a message', (kind) => {
      const event = eventFor(kind)
      if (event === undefined) throw new Error(`no payload for ${kind}`)
      const denied = host.refuse(problem, { effect: 'deny', kind })
      expect(denied.exitCode).not.toBe(0)
      expect(denied.stdout).toBe('')
      expect(denied.stderr).toMatch(/^[^{].*nothing came/)
      const passed = host.refuse(problem, { effect: 'pass', kind })
      expect(passed.exitCode).toBe(0)
      expect(cases.obeys(passed, event).does).toBe('goes on')
      expect(passed.stderr).toContain('nothing came')
    })
  })
}

/** The same payload with a name of an event that nobody knows, where the payload names it. */
function renamedEvent(host: Host, payload: JsonObject): { payload: JsonObject; isInPayload: boolean } {
  const keys = Object.keys(payload).filter((key) => typeof payload[key] === 'string')
  const key = keys.find((each) => host.eventNamed(JSON.stringify({ ...payload, [each]: 'Zork' })) === 'Zork')
  return key === undefined
    ? { payload, isInPayload: false }
    : { payload: { ...payload, [key]: 'Zork' }, isInPayload: true }
}

function expected(effect: Effect, can: Abilities): Obeyed['does'] {
  if (effect === 'deny') return can.deny ? 'stops' : 'goes on'
  if (effect === 'ask' && can.ask === 'by-silence') return 'goes on'
  if (effect === 'ask') return can.ask ? 'asks' : can.deny ? 'stops' : 'goes on'
  return effect === 'allow' && can.allow ? 'skips the prompt' : 'goes on'
}

/** Events whose replies are read by other means have no room for a notice. */
function spoken(event: Event, notice: string): string {
  return event.kind === 'WorktreeCreate' ? '' : notice
}

/** A payload cut off, or with one character changed. */
function mangled(payload: string): fc.Arbitrary<string> {
  const at = fc.nat(payload.length)
  return fc.oneof(
    at.map((end) => payload.slice(0, end)),
    fc
      .tuple(at, fc.string({ minLength: 1, maxLength: 1 }))
      .map(([i, text]) => payload.slice(0, i) + text + payload.slice(i + 1)),
  )
}
