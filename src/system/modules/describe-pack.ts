import type { Failure } from '../../core/decision.ts'
import { isObject } from '../../core/json.ts'
import type { PackDescription } from '../../core/pack-description.ts'
import { moduleEnvironment, modulePlace, moduleRunner } from './run-module.ts'

/** Loading may compile TypeScript on a busy machine. */
const DESCRIBE_TIMEOUT_MS = 15_000

/** What a pack of others says about itself, from a process that loads it. Never rejects. */
export async function askForDescription(
  { module, root }: { readonly module: string; readonly root: string },
  home: string,
  path: string | undefined,
): Promise<PackDescription | Failure> {
  const outcome = await moduleRunner(module)(
    {
      group: `describe ${module}`,
      root,
      place: modulePlace([root], moduleEnvironment({}, home, path)),
      ask: { pack: { kind: 'describe' }, event: {}, shared: {}, own: {} },
    },
    (stop) => setTimeout(stop, DESCRIBE_TIMEOUT_MS).unref(),
  )
  if (!('answer' in outcome)) return outcome
  const { answer } = outcome
  // The process has checked it; code in the same process could have changed the answer.
  const isDescription = isObject(answer) && Array.isArray(answer.guards) && typeof answer.id === 'string'
  return isDescription
    ? (answer as unknown as PackDescription)
    : { failure: 'invalidOutput', message: 'it does not describe itself as a pack' }
}
