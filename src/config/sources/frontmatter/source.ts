import { bad, good, type Problem, type Result } from '../../../core/errors.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import type { HookEntry, Layer } from '../../../core/layer.ts'
import { asksHoldpoint } from '../../../handlers/own-call.ts'
import { readClaudeHooks } from '../claude-hooks.ts'
import { readingOf } from '../claude-reading.ts'
import { keyPath, locate } from '../locate.ts'
import { matcherReader } from '../matcher.ts'
import { parseYaml } from '../parse-yaml.ts'
import { nameValue, printable } from '../problems.ts'
import { SOURCE_MAX_BYTES, type Source, type SourceFile } from '../source.ts'
import { frontmatterOf, namesHooks, ownBlocks } from '../split-front-matter.ts'
import { toJson, type YamlJson } from '../to-json.ts'
import { type Component, componentAt, startedIn } from './component.ts'
import { finds } from './finds.ts'

/**
 * Hooks in the front matter of a skill, a slash command or an agent, scoped to that skill or agent. There are
 * thousands of such files and few have hooks: a file without hooks is an empty layer, whatever else it contains.
 */
export const source: Source = { id: 'frontmatter', parse, finds }

function parse(text: string, file: SourceFile): Result<Layer> {
  if (text.length > SOURCE_MAX_BYTES || new TextEncoder().encode(text).length > SOURCE_MAX_BYTES) {
    return bad('CONFIG_TOO_LARGE', `The file is larger than ${SOURCE_MAX_BYTES} bytes.`, { file: file.path })
  }
  const head = frontmatterOf(text)
  if (head === undefined || !namesHooks(head.yaml)) {
    return good(layerOf(file, [], head?.isClosed ? doubts(head.yaml, file) : []))
  }
  if (!head.isClosed) {
    const message = 'The front matter contains `hooks`, but no `---` line ends it.'
    return bad('CONFIG_NOT_YAML', message, { file: file.path, line: 1, column: 1 })
  }
  const whole = readYaml(head.yaml)
  const read = whole.ok ? whole : readYaml(ownBlocks(head.yaml))
  if (!read.ok) return refused(read.problem, file)
  const warnings = whole.ok ? [] : [warning(whole.problem, file)]
  const { json } = read.value
  if (isObject(json) && 'hooks' in json) return readHead(json, read.value, warnings, file)
  // The line that looks like the key may be part of a longer text. If the front matter is incomplete, that is unknown.
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
    honoursOnce: component.kind === 'skill',
    ...(component.kind === 'skill' ? { startOf: (run) => startedIn(component.folder, run) } : {}),
  })
  const { hooks = null } = json
  if (!isObject(hooks)) {
    const message = `Expected a mapping of events to lists of hooks, not ${nameValue(hooks)}.`
    if (hooks !== null) reading.report(['hooks'], message)
    return good(layerOf(file, [], problems))
  }
  const entries = readClaudeHooks(hooks, reading)
    .filter((entry) => !asksHoldpoint(entry))
    .flatMap((entry) => forComponent(entry, component))
  return good(layerOf(file, entries, problems))
}

/** An agent's `Stop` is its own end: a SubagentStop, or a Stop if the agent is the main thread. */
function forComponent(entry: HookEntry, { kind, scopes }: Component): readonly HookEntry[] {
  const on: HookEntry['on'] = kind === 'agent' && entry.on[0] === 'Stop' ? ['SubagentStop', 'Stop'] : entry.on
  return scopes.map((actor) => ({ ...entry, on, actor }))
}

/** Front matter that cannot be read, but without hooks: only a warning. */
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
