import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { HandlerCall } from '../../core/handler.ts'
import type { JsonObject } from '../../core/json.ts'
import { shellOf } from '../../policy/analysis/shell-of.ts'
import { touchedPaths } from '../../policy/analysis/touched-paths.ts'
import type { Analysis } from '../../shell/walk/read-commands.ts'
import { type TouchedPath, touchedPathsOf } from './places.ts'

/**
 * What all rules of one event share: the parsed command, the resolved paths, and one limit of steps. A file may contain
 * ten thousand rules and a call ten megabytes of text, and nothing here can be interrupted. Above the limit a text is
 * not read, and every test on it is a `maybe`.
 */
export interface RuleInput {
  readonly event: Event
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  /** Takes the steps from the budget; false when they are not left. */
  afford(steps: number): boolean
  shell(): Analysis
  /** The paths the call touches; undefined when its command cannot be read. */
  places(): readonly TouchedPath[] | undefined
  /** The path with every link resolved. */
  realpath(path: string): string
}

/** Some seconds in the worst case, and far less for real files. */
const STEPS_MAX = 300_000_000

const remembered = new WeakMap<Event, RuleInput>()

export function ruleInputOf(call: HandlerCall): RuleInput {
  const known = remembered.get(call.event)
  // An event that is checked again, with another memory, gets a new limit: the answer must be the same.
  if (known !== undefined && known.memory === call.memory && known.facts === call.facts) return known
  const ruleInput = createRuleInput(call.event, call.facts, call.memory)
  remembered.set(call.event, ruleInput)
  return ruleInput
}

function createRuleInput(event: Event, facts: Facts, memory: JsonObject | undefined): RuleInput {
  let stepsLeft = STEPS_MAX
  let places: readonly TouchedPath[] | undefined
  const real = new Map<string, string>()
  const ruleInput: RuleInput = {
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
      // A rule may also be what allows a call: then only the text itself counts.
      return analysis.judged && analysis.hidden !== undefined
        ? { judged: false, why: analysis.hidden }
        : analysis
    },
    places: () => {
      const analysis = ruleInput.shell()
      if (!analysis.judged) return undefined
      places ??= touchedPathsOf(touchedPaths(event, facts), analysis.commands, event, ruleInput.realpath)
      return places
    },
    realpath: (path) => {
      const known = real.get(path) ?? facts.realpath(path)
      real.set(path, known)
      return known
    },
  }
  return ruleInput
}
