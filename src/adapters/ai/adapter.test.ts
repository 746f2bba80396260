import { playAi, WAYS } from '../../../test/sdk/play-ai.ts'
import { sdkContract } from '../adapter.contract.ts'
import { aiSdk } from './adapter.ts'

for (const [name, way] of Object.entries(WAYS)) {
  for (const asking of ['by approval', 'by callback'] as const) {
    sdkContract({ adapter: aiSdk, way: `${name}, asking ${asking}`, play: playAi(way, asking) })
  }
}
