import { toolOf } from '../../core/event.ts'
import type { Json } from '../../core/json.ts'
import type { RegexEngine } from '../../core/match/pattern.ts'
import type { PathCondition, RuleCondition, ShellCondition, ValueTest } from '../../core/rule.ts'
import { isShellCall } from '../../policy/analysis/shell-of.ts'
import { compileValue, fieldValuesAt, promptOf, toolOutputOf } from './fields.ts'
import { compilePathGlob } from './path-glob.ts'
import { exactSpot, type TouchedPath } from './places.ts'
import type { RuleInput } from './rule-input.ts'
import { compileShell } from './shell.ts'
import { compileText } from './text.ts'
import { andTruth, anyOf, not, orTruth, type Truth } from './truth.ts'

/** Whether a condition matches, and what made it match or made it unsure. */
export interface ConditionResult {
  readonly truth: Truth
  readonly seen: readonly string[]
}

export type ConditionCheck = (ruleInput: RuleInput) => ConditionResult

/** Throws on an unknown condition. */
export function compileCondition(condition: RuleCondition, engine: RegexEngine): ConditionCheck {
  switch (condition.kind) {
    case 'all':
      return joined(condition.of, engine, 'all')
    case 'any':
      return joined(condition.of, engine, 'any')
    case 'not':
      return negated(compileCondition(condition.of, engine))
    case 'shell':
      return shellJudge(condition, engine)
    case 'path':
      return pathJudge(condition)
    case 'input':
      return inputJudge(condition.field, condition.tests, engine)
    case 'prompt':
      return textJudge('prompt', promptOf, condition.tests, engine)
    case 'output':
      return textJudge('output', toolOutputOf, condition.tests, engine)
    case 'permissionMode': {
      const judge = compileText(condition.text, engine)
      return (ruleInput) => {
        const mode = ruleInput.event.permissionMode
        if (mode === undefined) return doubt('the agent does not say its permission mode')
        return verdict(judge.text(mode, ruleInput), `permission mode ${mode}`)
      }
    }
    case 'branch': {
      const judge = compileText(condition.text, engine)
      return (ruleInput) => {
        const branch = ruleInput.facts.branch()
        return branch === undefined ? NO : verdict(judge.text(branch, ruleInput), `branch ${branch}`)
      }
    }
    case 'cwd':
      return cwdJudge(condition.globs)
    case 'seen':
      return (ruleInput) => seenJudge(condition.key, ruleInput)
    default:
      throw new Error(`there is no condition ${JSON.stringify((condition as { kind?: unknown }).kind)}`)
  }
}

const NO: ConditionResult = { truth: 'no', seen: [] }
const YES: ConditionResult = { truth: 'yes', seen: [] }

function verdict(truth: Truth, seen: string): ConditionResult {
  return truth === 'no' ? NO : { truth, seen: [seen] }
}

function doubt(seen: string): ConditionResult {
  return { truth: 'maybe', seen: [seen] }
}

function joined(of: readonly RuleCondition[], engine: RegexEngine, how: 'all' | 'any'): ConditionCheck {
  const judges = of.map((each) => compileCondition(each, engine))
  const ends: Truth = how === 'all' ? 'no' : 'yes'
  const join = how === 'all' ? andTruth : orTruth
  return (ruleInput) => {
    let truth: Truth = how === 'all' ? 'yes' : 'no'
    const seen: string[] = []
    for (const judge of judges) {
      const each = judge(ruleInput)
      truth = join(truth, each.truth)
      if (each.truth === ends) return each
      seen.push(...each.seen)
    }
    return truth === 'no' ? NO : { truth, seen }
  }
}

function negated(judge: ConditionCheck): ConditionCheck {
  return (ruleInput) => {
    const { truth, seen } = judge(ruleInput)
    return truth === 'no' ? YES : { truth: not(truth), seen: truth === 'maybe' ? seen : [] }
  }
}

function shellJudge(condition: ShellCondition, engine: RegexEngine): ConditionCheck {
  const judge = compileShell(condition, engine)
  return (ruleInput) => {
    if (!isShellCall(ruleInput.event)) return NO
    const analysis = ruleInput.shell()
    if (!analysis.judged) return doubt(`the command cannot be read: ${analysis.why}`)
    let found = NO
    for (const command of analysis.commands) {
      const truth = judge(command, ruleInput)
      if (truth === 'no' || (truth === 'maybe' && found.truth === 'maybe')) continue
      found = verdict(truth, `command ${oneLine(command.fragment)}`)
      if (truth === 'yes') return found
    }
    return found
  }
}

function pathJudge({ globs, access, outside }: PathCondition): ConditionCheck {
  const compiled = globs.map(compilePathGlob)
  const within = (place: TouchedPath, ruleInput: RuleInput): Truth =>
    anyOf(compiled, (glob) => glob.reaches(place, ruleInput))
  const beyond = (place: TouchedPath, ruleInput: RuleInput): Truth =>
    place.spots.length === 0
      ? 'maybe'
      : anyOf(place.spots, (spot) => not(anyOf(compiled, (glob) => glob.holdsSpot(spot, ruleInput))))
  return (ruleInput) => {
    const places = ruleInput.places()
    if (places === undefined) return doubt('the command cannot be read')
    let found = NO
    for (const place of places) {
      const used = usedFor(place, access)
      if (used === 'no') continue
      const truth = andTruth(used, (outside === true ? beyond : within)(place, ruleInput))
      if (truth === 'no' || (truth === 'maybe' && found.truth === 'maybe')) continue
      found = verdict(truth, `path ${oneLine(place.shown)} (${place.access})`)
      if (truth === 'yes') return found
    }
    return found
  }
}

function usedFor(place: TouchedPath, access: PathCondition['access']): Truth {
  if (access === undefined) return place.doubtful ? 'maybe' : 'yes'
  // It is not known what an unknown program does with it.
  if (place.doubtful) return 'maybe'
  const certain: Truth = place.unsure ? 'maybe' : 'yes'
  if (place.access === access) return certain
  return access === 'write' && place.mayWrite ? 'maybe' : 'no'
}

function inputJudge(field: string, tests: readonly ValueTest[], engine: RegexEngine): ConditionCheck {
  const judge = compileValue(tests, engine)
  return (ruleInput) => {
    const tool = toolOf(ruleInput.event)
    const truth = anyOf(fieldValuesAt(tool?.input, field), (value) => judge(value, ruleInput))
    return verdict(truth, `input ${field}`)
  }
}

function textJudge(
  name: string,
  textOf: (event: RuleInput['event']) => Json | undefined,
  tests: readonly ValueTest[],
  engine: RegexEngine,
): ConditionCheck {
  const judge = compileValue(tests, engine)
  return (ruleInput) => {
    const text = textOf(ruleInput.event)
    if (text === undefined) return NO
    return text === null ? doubt(`the agent did not send its ${name}`) : verdict(judge(text, ruleInput), name)
  }
}

function cwdJudge(globs: readonly string[]): ConditionCheck {
  const compiled = globs.map(compilePathGlob)
  return (ruleInput) => {
    const { cwd } = ruleInput.facts
    const folders = [...new Set([cwd, ruleInput.realpath(cwd)])]
    const truth = anyOf(folders.map(exactSpot), (spot) =>
      anyOf(compiled, (glob) => glob.holdsSpot(spot, ruleInput)),
    )
    return verdict(truth, `folder ${cwd}`)
  }
}

/** What was recorded for `seen`. Without memory it is unknown. */
function seenJudge(key: string, ruleInput: RuleInput): ConditionResult {
  if (ruleInput.memory === undefined) return doubt('what happened before cannot be read')
  const kept = Object.hasOwn(ruleInput.memory, key) ? ruleInput.memory[key] : undefined
  if (kept === undefined) return NO
  return kept === 'yes' ? YES : doubt('it may have happened before')
}

/** For people: one line, shortened. */
function oneLine(text: string): string {
  const line = text.slice(0, 200).replaceAll(/\s+/g, ' ')
  return text.length > 200 ? `${line}…` : line
}
