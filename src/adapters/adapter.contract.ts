import { describe, expect, it } from 'vitest'
import { createRuntime, type Runtime } from '../library/runtime.ts'
import { SDK_ABILITIES, type SdkAbility, type SdkAdapter } from './adapter.ts'
import { FAILURES, SCENARIOS, type Scenario, type Seen } from './scenarios.contract.ts'

export interface SdkCases {
  readonly adapter: SdkAdapter
  /** Which way, if one package can be used in several ways. */
  readonly way?: string
  /** Plays a scene on the real package, through the adapter. */
  play(scene: Scenario, runtime: Runtime, log: string[]): Promise<Seen>
}

export function sdkContract({ adapter, way, play }: SdkCases): void {
  const title = way === undefined ? adapter.title : `${adapter.title}, ${way}`
  const seen = async (scene: Scenario) => {
    const runtime = createRuntime({ session: 'contract' })
    const log: string[] = []
    scene.arrange(runtime, log)
    return { seen: await play(scene, runtime, log), log }
  }

  describe(`${title} supports what it declares`, () => {
    for (const ability of Object.keys(SDK_ABILITIES) as SdkAbility[]) {
      const { can } = adapter.abilities[ability]
      it.each(SCENARIOS[ability])(`${ability} (${can}): $title`, async ({ scene, shows }) => {
        const outcome = await seen(scene)
        expect([shows(outcome.seen, outcome.log), outcome]).toEqual([can, expect.anything()])
      })
    }
  })

  describe(`${title}: a hook that fails denies the call`, () => {
    it.each(FAILURES)('$title', async ({ scene, says }) => {
      const { seen: outcome } = await seen(scene)
      expect(outcome.ran).toEqual([])
      expect(outcome.told.map((each) => each.text).join('\n')).toContain(says)
    })
  })
}
