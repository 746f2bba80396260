import { bad, good, type Problem, type Result } from '../../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { Layer } from '../../../core/layer.ts'
import { locate } from '../locate.ts'
import { matcherReader } from '../matcher.ts'
import { parseYaml } from '../parse-yaml.ts'
import { nameValue, printable, problemsOf } from '../problems.ts'
import type { Source, SourceFile } from '../source.ts'
import { toJson, type YamlJson } from '../to-json.ts'
import { readAgents } from './agents.ts'
import { readEvents } from './events.ts'
import type { MassGenReader } from './reading.ts'

/**
 * The hooks of a MassGen configuration: the hooks of all agents at the top level, and those of one agent in its
 * backend. The file configures a whole system, of which only hooks are read here. Everything else is ignored.
 */
export const source: Source = { id: 'massgen-yaml', parse }

function parse(text: string, file: SourceFile): Result<Layer> {
  const document = parseYaml(text)
  const yaml = document.ok ? toJson(document.value) : document
  if (!yaml.ok) return refused(yaml.problem, file)
  const config = checkFile(yaml.value)
  if (!config.ok) return refused(config.problem, file)

  const problems = problemsOf(yaml.value, file.path)
  const { extendedEvents = false, hooks = null } = config.value
  if (typeof extendedEvents !== 'boolean') problems.addWrongValue(['extendedEvents'], 'true or false')
  const reading: MassGenReader = {
    yaml: yaml.value,
    file,
    problems,
    readMatcher: matcherReader(),
    allowsAllEvents: extendedEvents === true,
  }
  const agents = readAgents(config.value, reading)
  const global = readEvents(hooks, ['hooks'], {}, reading)
  const entries = [...global.flatMap((read) => read.entries), ...agents.entries]
  if (entries.length > HOOKS_MAX) {
    const message = `The file has ${entries.length} hooks; at most ${HOOKS_MAX} are read.`
    return refused({ code: 'CONFIG_TOO_LARGE', message, ...locate(yaml.value, ['hooks']) }, file)
  }
  return good({
    rank: file.rank,
    file: file.path,
    trusted: file.trusted,
    packs: [],
    hooks: entries,
    ...(agents.overrides.length === 0 ? {} : { overrides: agents.overrides }),
    settings: {},
    problems: problems.list(),
  })
}

const HOOKS_MAX = 10_000

function checkFile(yaml: YamlJson): Result<JsonObject> {
  const json: Json = yaml.json
  if (json === null) return good({})
  if (isObject(json)) return good(json)
  return bad('CONFIG_VALUE', `The file must be a mapping, not ${nameValue(json)}.`, locate(yaml, []))
}

function refused(problem: Problem, file: SourceFile): Result<never> {
  return { ok: false, problem: { ...problem, message: printable(problem.message), file: file.path } }
}
