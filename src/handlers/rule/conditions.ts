import { toolOf } from '../../event.ts'
import type { Json } from '../../json.ts'
import { isShellCall } from '../../packs/shell-of.ts'
import type { RegexEngine } from '../../pattern.ts'
import type { Condition, PathCondition, ShellCondition, ValueTest } from '../rule.ts'
import { compileValue, outputOf, promptOf, valuesAt } from './fields.ts'
import { compilePathGlob } from './path-glob.ts'
import { exactSpot, type Place } from './places.ts'
import type { Scene } from './scene.ts'
import { compileShell } from './shell.ts'
import { compileText } from './text.ts'
import { anyOf, both, either, not, type Truth } from './truth.ts'

/** Whether a condition holds, and what it saw that made it hold, or not be sure. */
export interface Verdict {
  readonly truth: Truth
  readonly seen: readonly string[]
}

export type Judge = (scene: Scene) => Verdict

/** Throws on a condition no version of this file knows. */
export function compileCondition(condition: Condition, engine: RegexEngine): Judge {
  switch (condition.is) {
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
      return textJudge('output', outputOf, condition.tests, engine)
    case 'permissionMode': {
      const judge = compileText(condition.text, engine)
      return (scene) => {
        const mode = scene.event.permissionMode
        if (mode === undefined) return doubt('the agent does not say its permission mode')
        return verdict(judge.text(mode, scene), `permission mode ${mode}`)
      }
    }
    case 'branch': {
      const judge = compileText(condition.text, engine)
      return (scene) => {
        const branch = scene.facts.branch()
        return branch === undefined ? NO : verdict(judge.text(branch, scene), `branch ${branch}`)
      }
    }
    case 'cwd':
      return cwdJudge(condition.globs)
    case 'seen':
      return (scene) => seenJudge(condition.key, scene)
    default:
      throw new Error(`there is no condition ${JSON.stringify((condition as { is?: unknown }).is)}`)
  }
}

const NO: Verdict = { truth: 'no', seen: [] }
const YES: Verdict = { truth: 'yes', seen: [] }

function verdict(truth: Truth, seen: string): Verdict {
  return truth === 'no' ? NO : { truth, seen: [seen] }
}

function doubt(seen: string): Verdict {
  return { truth: 'maybe', seen: [seen] }
}

function joined(of: readonly Condition[], engine: RegexEngine, how: 'all' | 'any'): Judge {
  const judges = of.map((each) => compileCondition(each, engine))
  const ends: Truth = how === 'all' ? 'no' : 'yes'
  const join = how === 'all' ? both : either
  return (scene) => {
    let truth: Truth = how === 'all' ? 'yes' : 'no'
    const seen: string[] = []
    for (const judge of judges) {
      const each = judge(scene)
      truth = join(truth, each.truth)
      if (each.truth === ends) return each
      seen.push(...each.seen)
    }
    return truth === 'no' ? NO : { truth, seen }
  }
}

function negated(judge: Judge): Judge {
  return (scene) => {
    const { truth, seen } = judge(scene)
    return truth === 'no' ? YES : { truth: not(truth), seen: truth === 'maybe' ? seen : [] }
  }
}

function shellJudge(condition: ShellCondition, engine: RegexEngine): Judge {
  const judge = compileShell(condition, engine)
  return (scene) => {
    if (!isShellCall(scene.event)) return NO
    const analysis = scene.shell()
    if (!analysis.judged) return doubt(`the command cannot be read: ${analysis.why}`)
    let found = NO
    for (const command of analysis.commands) {
      const truth = judge(command, scene)
      if (truth === 'no' || (truth === 'maybe' && found.truth === 'maybe')) continue
      found = verdict(truth, `command ${oneLine(command.fragment)}`)
      if (truth === 'yes') return found
    }
    return found
  }
}

function pathJudge({ globs, access, outside }: PathCondition): Judge {
  const compiled = globs.map(compilePathGlob)
  const within = (place: Place, scene: Scene): Truth => anyOf(compiled, (glob) => glob.reaches(place, scene))
  const beyond = (place: Place, scene: Scene): Truth =>
    place.spots.length === 0
      ? 'maybe'
      : anyOf(place.spots, (spot) => not(anyOf(compiled, (glob) => glob.holdsSpot(spot, scene))))
  return (scene) => {
    const places = scene.places()
    if (places === undefined) return doubt('the command cannot be read')
    let found = NO
    for (const place of places) {
      const used = usedFor(place, access)
      if (used === 'no') continue
      const truth = both(used, (outside === true ? beyond : within)(place, scene))
      if (truth === 'no' || (truth === 'maybe' && found.truth === 'maybe')) continue
      found = verdict(truth, `path ${oneLine(place.shown)} (${place.access})`)
      if (truth === 'yes') return found
    }
    return found
  }
}

function usedFor(place: Place, access: PathCondition['access']): Truth {
  if (access === undefined) return place.doubtful ? 'maybe' : 'yes'
  // What an unknown program does with it is not known either.
  if (place.doubtful) return 'maybe'
  const certain: Truth = place.unsure ? 'maybe' : 'yes'
  if (place.access === access) return certain
  return access === 'write' && place.mayWrite ? 'maybe' : 'no'
}

function inputJudge(field: string, tests: readonly ValueTest[], engine: RegexEngine): Judge {
  const judge = compileValue(tests, engine)
  return (scene) => {
    const tool = toolOf(scene.event)
    const truth = anyOf(valuesAt(tool?.input, field), (value) => judge(value, scene))
    return verdict(truth, `input ${field}`)
  }
}

function textJudge(
  name: string,
  textOf: (event: Scene['event']) => Json | undefined,
  tests: readonly ValueTest[],
  engine: RegexEngine,
): Judge {
  const judge = compileValue(tests, engine)
  return (scene) => {
    const text = textOf(scene.event)
    if (text === undefined) return NO
    return text === null ? doubt(`the agent did not send its ${name}`) : verdict(judge(text, scene), name)
  }
}

function cwdJudge(globs: readonly string[]): Judge {
  const compiled = globs.map(compilePathGlob)
  return (scene) => {
    const { cwd } = scene.facts
    const folders = [...new Set([cwd, scene.realpath(cwd)])]
    const truth = anyOf(folders.map(exactSpot), (spot) =>
      anyOf(compiled, (glob) => glob.holdsSpot(spot, scene)),
    )
    return verdict(truth, `folder ${cwd}`)
  }
}

/** What a companion kept. Without memory nobody knows. */
function seenJudge(key: string, scene: Scene): Verdict {
  if (scene.memory === undefined) return doubt('what happened before cannot be read')
  const kept = Object.hasOwn(scene.memory, key) ? scene.memory[key] : undefined
  if (kept === undefined) return NO
  return kept === 'yes' ? YES : doubt('it may have happened before')
}

/** For people: one line, not too long. */
function oneLine(text: string): string {
  const line = text.slice(0, 200).replaceAll(/\s+/g, ' ')
  return text.length > 200 ? `${line}…` : line
}
