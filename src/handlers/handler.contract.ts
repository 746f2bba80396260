import { describe, expect, it } from 'vitest'
import { isFailure } from '../core/decision.ts'
import type { Handler, HandlerCall } from '../core/handler.ts'
import type { Hook } from '../core/hook.ts'
import type { Json } from '../core/json.ts'
import { actorOf, bash, frozenFacts } from '../library/testing/events.ts'
import { writtenRun } from '../library/testing/written-run.ts'
import { handlerKind } from './kind-of.ts'

export interface HandlerCases {
  readonly handler: Handler
  /** A hook that answers with a deny and a reason. */
  readonly denies: Hook
  /** One that has no opinion. */
  readonly passes: Hook
  /** One that fails while it runs. */
  readonly breaks: Hook
  /** One with an invalid answer. Undefined if answers cannot be invalid. */
  readonly invalidOutput?: Hook
  /** One that never ends by itself. After its signal nothing of it may be left. It is stopped after it has started. */
  readonly hangs?: {
    readonly hook: Hook
    readonly begun: () => boolean
    readonly gone: () => Promise<boolean>
  }
  /** One that names something that does not exist. */
  readonly missing: Hook
  /** What people write as `run`, in each of its forms. Missing: it cannot be written. */
  readonly written?: readonly [Json, ...Json[]]
}

/** The tests that every handler must pass. */
export function handlerContract(cases: HandlerCases): void {
  describe(`handler ${cases.handler.type}`, () => {
    const run = async (hook: Hook, signal = new AbortController().signal) => {
      const prepared = await cases.handler.prepare(hook)
      if (typeof prepared !== 'function') return prepared
      const event = bash('ls')
      const call: HandlerCall = {
        event,
        actor: actorOf(event),
        facts: facts(),
        memory: {},
        timeoutMs: 10_000,
        signal,
      }
      return prepared(call)
    }

    it('is what its forms in a configuration mean', () => {
      const { type } = cases.handler
      const forms = cases.written ?? []
      expect(forms.map((form) => writtenRun(form).type)).toEqual(forms.map(() => type))
      expect(handlerKind({ type }).written !== undefined, 'say it in `written`').toBe(forms.length > 0)
    })

    it('returns a denial and its reason', async () => {
      const answer = await run(cases.denies)
      expect(answer).toMatchObject({ effect: 'deny', reason: expect.stringMatching(/\S/) })
    })

    it('accepts a hook without an opinion', async () => {
      expect(await run(cases.passes)).toBeNull()
    })

    it('never turns a crash into a pass', async () => {
      const outcome = await run(cases.breaks).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Error)
        return { failure: 'crash', message: 'thrown' } as const
      })
      expect(outcome).toMatchObject({ failure: expect.stringMatching(/crash|invalidOutput/) })
    })

    it('fails to prepare a hook that does not exist, with a message', async () => {
      const outcome = await run(cases.missing)
      expect(outcome).toMatchObject({ failure: 'import', message: expect.stringMatching(/\S/) })
    })

    const { invalidOutput, hangs } = cases
    if (invalidOutput !== undefined) {
      it('treats an invalid answer as a failure', async () => {
        expect(await run(invalidOutput)).toMatchObject({ failure: 'invalidOutput' })
      })
    }
    if (hangs !== undefined) {
      it('stops on its signal and leaves nothing running', async () => {
        const controller = new AbortController()
        const running = run(hangs.hook, controller.signal)
        while (!hangs.begun()) await new Promise((resolve) => setTimeout(resolve, 20))
        controller.abort()
        const outcome = await running
        expect(outcome !== null && isFailure(outcome) && outcome.failure).toBe('timeout')
        expect(await hangs.gone()).toBe(true)
      })
    }
  })
}

function facts() {
  return frozenFacts({ cwd: '/', project: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin' } })
}
