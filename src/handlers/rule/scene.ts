import type { Event } from '../../event.ts'
import type { Facts } from '../../facts.ts'
import type { JsonObject } from '../../json.ts'
import { shellOf } from '../../packs/shell-of.ts'
import { touchedPaths } from '../../packs/touched-paths.ts'
import type { Analysis } from '../../shell/commands.ts'
import type { Call } from '../handler.ts'
import { type Place, placesOf } from './places.ts'

/**
 * What all rules of one event share: the command read once, the paths resolved once, and one budget of steps. A
 * file may hold ten thousand rules and a call ten megabytes of text, and nothing here can be interrupted; past the
 * budget a text is not looked at, and every test on it is a `maybe`.
 */
export interface Scene {
  readonly event: Event
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  /** Takes the steps from the budget; false when they are not left. */
  afford(steps: number): boolean
  shell(): Analysis
  /** The paths the call touches; undefined when its command cannot be read. */
  places(): readonly Place[] | undefined
  /** Where the path leads through every link. */
  realpath(path: string): string
}

/** Some seconds at the very worst, and far from it for anything people write. */
const STEPS_MAX = 300_000_000

const remembered = new WeakMap<Event, Scene>()

export function sceneOf(call: Call): Scene {
  const known = remembered.get(call.event)
  // An event that is judged again, on another memory, gets a budget of its own: the answer must be the same.
  if (known !== undefined && known.memory === call.memory && known.facts === call.facts) return known
  const scene = createScene(call.event, call.facts, call.memory)
  remembered.set(call.event, scene)
  return scene
}

function createScene(event: Event, facts: Facts, memory: JsonObject | undefined): Scene {
  let stepsLeft = STEPS_MAX
  let places: readonly Place[] | undefined
  const real = new Map<string, string>()
  const scene: Scene = {
    event,
    facts,
    memory,
    afford: (steps) => {
      if (steps > stepsLeft) return false
      stepsLeft -= steps
      return true
    },
    shell: () => {
      const analysis = shellOf(event, facts)
      // A rule may also be what lets a call pass: for that, only the text itself counts.
      return analysis.judged && analysis.hidden !== undefined
        ? { judged: false, why: analysis.hidden }
        : analysis
    },
    places: () => {
      const analysis = scene.shell()
      if (!analysis.judged) return undefined
      places ??= placesOf(touchedPaths(event, facts), analysis.commands, event, scene.realpath)
      return places
    },
    realpath: (path) => {
      const known = real.get(path) ?? facts.realpath(path)
      real.set(path, known)
      return known
    },
  }
  return scene
}
