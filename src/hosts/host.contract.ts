import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combine } from '../combine.ts'
import type { Effect, Finding, Reply } from '../decision.ts'
import { EVENT_KINDS, type Event, type EventKind } from '../event.ts'
import { fitToHost } from '../fit-to-host.ts'
import { isObject } from '../json.ts'
import { type Abilities, type Host, PAYLOAD_MAX_BYTES } from './host.ts'

/** What the real program would do with a reply: written from its documentation and runs, not from our encode. */
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
}

/** What every host must do. A new host is proved by its recorded payloads and its own reading of replies. */
export function hostContract(cases: HostCases): void {
  const { host } = cases
  const decode = (payload: string) => host.decode({ payload, cwd: '/srv/elsewhere' })
  const eventFor = (kind: EventKind): Event | undefined => {
    const payload = cases.payloadFor(kind)
    const decoded = payload === undefined ? undefined : decode(payload)
    return decoded?.ok ? decoded.value : undefined
  }
  const offered = EVENT_KINDS.filter((kind) => host.events[kind] !== undefined)

  describe(`host ${host.id}: decode`, () => {
    it.each([...cases.fixtures])('reads the recorded payload %s and keeps it whole', (name, payload) => {
      const decoded = decode(payload)
      if (!decoded.ok) throw new Error(decoded.problem.message)
      expect(decoded.value.kind).toBe(name.split('.')[0])
      expect(decoded.value.raw).toEqual(JSON.parse(payload))
      expect(decoded.value.host).toBe(host.id)
    })

    it.each(offered)('knows the event %s', (kind) => {
      expect(eventFor(kind)?.kind).toBe(kind)
    })

    it('never throws, and never makes an event of what is none', () => {
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
          fitToHost(combine([{ hook: 'team/rule', order: 0, effect: 'pass', ...finding }]), can),
          event,
        ),
        event,
      )

    it('obeys each effect as far as it says it can, and never weakens one in silence', () => {
      for (const effect of ['pass', 'allow', 'ask', 'deny'] as const) {
        const obeyed = reply({ effect, reason: 'because of tests' })
        expect([effect, obeyed.does]).toEqual([effect, expected(effect, can)])
        if (effect === 'deny')
          expect(`${obeyed.reason ?? ''}${obeyed.notice ?? ''}`).toContain('because of tests')
      }
    })

    it('says nothing at all when there is no opinion', () => {
      expect(reply({})).toEqual({ does: 'goes on' })
    })

    it('always gives a reason for a stop', () => {
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

    it('tells the person what hooks want told', () => {
      if (can.deny || can.context)
        expect(reply({ notices: ['look here'] }).notice ?? '').toContain(spoken(event, 'look here'))
    })

    it('ends the workflow only beside a decision, never in place of one', () => {
      expect(reply({ effect: 'deny', reason: 'no', halt: 'over' }).does).toBe(expected('deny', can))
    })
  })

  describe(`host ${host.id}: refuse`, () => {
    const problem = { code: 'PAYLOAD_EMPTY', message: 'nothing came' } as const
    it.each(offered)('at %s denies by exit code, or goes on and says so', (kind) => {
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
