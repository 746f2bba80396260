import type { Facts } from '../core/facts.ts'
import type { HandlerTools } from '../core/handler.ts'
import { type ModulePlace, moduleEnvironment, modulePlace } from '../system/modules/run-module.ts'

/** Where the modules of an event run: found out once for each event, because it reads files. */
export function placeForModules(
  facts: Facts,
  root: string | undefined,
  tools: Pick<HandlerTools, 'searchPath'>,
): ModulePlace {
  const ofEvent = known.get(facts) ?? new Map<string, ModulePlace>()
  known.set(facts, ofEvent)
  const name = root ?? ''
  const there = ofEvent.get(name)
  if (there !== undefined) return there
  const { env, home, project } = facts
  const place = modulePlace([project, name], moduleEnvironment(env, home, tools.searchPath(env.PATH)))
  ofEvent.set(name, place)
  return place
}

const known = new WeakMap<Facts, Map<string, ModulePlace>>()
