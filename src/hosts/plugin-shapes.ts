import type { Json, JsonObject } from '../core/json.ts'
import type { Shapes } from './dialect.ts'
import { DENY } from './dialect-shapes.ts'

/** What a plugin of ours reads in a reply, for agents that load plugins: `src/adapters/client/verdict.ts` is its other side. */
export const PLUGIN = {
  deny: DENY,
  ask: (reason: string) => ({ decision: 'ask', reason }),
  rewrite: (input: JsonObject) => ({ input }),
  context: (context: string) => ({ context }),
  output: (output: Json) => ({ output }),
} satisfies Shapes
