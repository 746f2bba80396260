import { describe, expect, it } from 'vitest'
import { isFailure } from '../decision.ts'
import type { Hook } from '../hook.ts'
import { actorOf, bash, frozenFacts } from '../testing/events.ts'
import type { Call, Handler } from './handler.ts'

export interface HandlerCases {
  readonly handler: Handler
  /** A hook that answers with a deny and a reason. */
  readonly denies: Hook
  /** One that has no opinion. */
  readonly passes: Hook
  /** One that breaks while it runs. */
  readonly breaks: Hook
  /** One whose answer makes no sense. Undefined where answers cannot be malformed. */
  readonly babbles?: Hook
  /** One that never ends by itself; after its signal nothing of it may be left. Stopped once it has begun. */
  readonly hangs?: {
    readonly hook: Hook
    readonly begun: () => boolean
    readonly gone: () => Promise<boolean>
  }
  /** One that names something that does not exist. */
  readonly missing: Hook
}

/** What every way to run a hook must do, whatever it runs. */
export function handlerContract(cases: HandlerCases): void {
  describe(`handler ${cases.handler.type}`, () => {
    const run = async (hook: Hook, signal = new AbortController().signal) => {
      const prepared = await cases.handler.prepare(hook)
      if (typeof prepared !== 'function') return prepared
      const event = bash('ls')
      const call: Call = {
        event,
        actor: actorOf(event),
        facts: facts(),
        memory: {},
        timeoutMs: 10_000,
        signal,
      }
      return prepared(call)
    }

    it('brings a deny and its reason home', async () => {
      const answer = await run(cases.denies)
      expect(answer).toMatchObject({ effect: 'deny', reason: expect.stringMatching(/\S/) })
    })

    it('lets a hook have no opinion', async () => {
      expect(await run(cases.passes)).toBeNull()
    })

    it('never turns a break into a pass', async () => {
      const outcome = await run(cases.breaks).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Error)
        return { failure: 'crash', message: 'thrown' } as const
      })
      expect(outcome).toMatchObject({ failure: expect.stringMatching(/crash|invalidOutput/) })
    })

    it('cannot prepare what does not exist, and says so', async () => {
      const outcome = await run(cases.missing)
      expect(outcome).toMatchObject({ failure: 'import', message: expect.stringMatching(/\S/) })
    })

    const { babbles, hangs } = cases
    if (babbles !== undefined) {
      it('takes a malformed answer for a failure', async () => {
        expect(await run(babbles)).toMatchObject({ failure: 'invalidOutput' })
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
