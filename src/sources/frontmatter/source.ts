import type { HookEntry, Layer } from '../../config.ts'
import { bad, good, type Problem, type Result } from '../../errors.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { readClaudeHooks } from '../claude-hooks.ts'
import { readingOf } from '../claude-reading.ts'
import { keyPath, locate } from '../locate.ts'
import { matcherReader } from '../matcher.ts'
import { asksHoldpoint } from '../own-call.ts'
import { parseYaml } from '../parse-yaml.ts'
import { nameValue, printable } from '../problems.ts'
import { SOURCE_MAX_BYTES, type Source, type SourceFile } from '../source.ts'
import { toJson, type YamlJson } from '../to-json.ts'
import { type Component, componentAt, startedIn } from './component.ts'
import { finds } from './finds.ts'
import { headOf, namesHooks, ownBlocks } from './split.ts'

/**
 * Hooks in the head of a skill, a slash command or an agent, each for whoever has that skill or is that agent. There
 * are thousands of such files and few have hooks: a file without any is an empty layer, whatever else is in it.
 */
export const source: Source = { id: 'frontmatter', parse, finds }

function parse(text: string, file: SourceFile): Result<Layer> {
  if (text.length > SOURCE_MAX_BYTES || new TextEncoder().encode(text).length > SOURCE_MAX_BYTES) {
    return bad('CONFIG_TOO_LARGE', `The file is larger than ${SOURCE_MAX_BYTES} bytes.`, { file: file.path })
  }
  const head = headOf(text)
  if (head === undefined || !namesHooks(head.yaml)) {
    return good(layerOf(file, [], head?.isClosed ? doubts(head.yaml, file) : []))
  }
  if (!head.isClosed) {
    const message = 'The first line opens a head with `hooks`, and no `---` line closes it.'
    return bad('CONFIG_NOT_YAML', message, { file: file.path, line: 1, column: 1 })
  }
  const whole = readYaml(head.yaml)
  const read = whole.ok ? whole : readYaml(ownBlocks(head.yaml))
  if (!read.ok) return refused(read.problem, file)
  const warnings = whole.ok ? [] : [warning(whole.problem, file)]
  const { json } = read.value
  if (isObject(json) && 'hooks' in json) return readHead(json, read.value, warnings, file)
  // What looked like the key may be a line of a longer text; where the head is not whole, nobody can say.
  return whole.ok ? good(layerOf(file, [], [])) : refused(whole.problem, file)
}

function readYaml(yaml: string): Result<YamlJson> {
  const document = parseYaml(yaml)
  return document.ok ? toJson(document.value) : document
}

function readHead(
  json: JsonObject,
  yaml: YamlJson,
  warnings: readonly Problem[],
  file: SourceFile,
): Result<Layer> {
  const problems: Problem[] = [...warnings]
  const component = componentAt(file.path, json.name)
  const reading = readingOf({
    place: (path) => ({ file: file.path, ...locate(yaml, path), key: keyPath(path) }),
    readMatcher: matcherReader(),
    problems,
    scope: {},
    root: file.root,
    honoursOnce: component.is === 'skill',
    ...(component.is === 'skill' ? { startOf: (run) => startedIn(component.folder, run) } : {}),
  })
  const { hooks = null } = json
  if (!isObject(hooks)) {
    const message = `Here must be a mapping of events to lists of hooks; there is ${nameValue(hooks)}.`
    if (hooks !== null) reading.report(['hooks'], message)
    return good(layerOf(file, [], problems))
  }
  const entries = readClaudeHooks(hooks, reading)
    .filter((entry) => !asksHoldpoint(entry))
    .flatMap((entry) => forComponent(entry, component))
  return good(layerOf(file, entries, problems))
}

/** An agent's `Stop` is its own end: a SubagentStop, or a Stop where the agent is the main thread. */
function forComponent(entry: HookEntry, { is, scopes }: Component): readonly HookEntry[] {
  const on: HookEntry['on'] = is === 'agent' && entry.on[0] === 'Stop' ? ['SubagentStop', 'Stop'] : entry.on
  return scopes.map((actor) => ({ ...entry, on, actor }))
}

/** A head nobody can read, but without hooks: worth a word, no more. */
function doubts(yaml: string, file: SourceFile): readonly Problem[] {
  const read = readYaml(yaml)
  return read.ok ? [] : [warning(read.problem, file)]
}

function warning(problem: Problem, file: SourceFile): Problem {
  return { ...problem, message: printable(problem.message), file: file.path, severity: 'warning' }
}

function refused(problem: Problem, file: SourceFile): Result<never> {
  return { ok: false, problem: { ...problem, message: printable(problem.message), file: file.path } }
}

function layerOf(file: SourceFile, hooks: readonly HookEntry[], problems: readonly Problem[]): Layer {
  const { rank, path, trusted } = file
  return { rank, file: path, trusted, packs: [], hooks, settings: {}, problems }
}
