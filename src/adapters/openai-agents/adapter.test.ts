import { OPENAI_WAYS, playOpenai } from '../../../test/sdk/play-openai.ts'
import { sdkContract } from '../adapter.contract.ts'
import { openaiAgentsSdk } from './adapter.ts'

for (const [name, way] of Object.entries(OPENAI_WAYS)) {
  for (const asking of ['by approval', 'by callback'] as const) {
    sdkContract({ adapter: openaiAgentsSdk, way: `${name}, asking ${asking}`, play: playOpenai(way, asking) })
  }
}
