import { type Event, toolOf } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { wordSet } from '../../core/word-list.ts'
import { resolveForm } from '../../shell/words/paths.ts'
import type { PathChange } from './changed-paths.ts'
import { impliedPaths } from './tool-touches.ts'

/** What an MCP tool or an unknown tool may change, judged by its name and the paths in its input. */
export function toolChanges(event: Event, facts: Facts): readonly PathChange[] {
  const tool = toolOf(event)
  if (tool === undefined || KNOWN.has(tool.name)) return []
  const verb = tool.name.split('__').at(-1) ?? tool.name
  if (READING.test(verb) && !WRITING.test(verb)) return []
  const unsure = WRITING.test(verb) ? {} : { unsure: `it is not known what ${verb} does`, guessed: true }
  return pathsIn(tool.input, 0).map((text) => ({
    path: resolveForm([{ kind: 'text', text }], { cwd: facts.cwd, home: facts.home }),
    ...{ source: text, fragment: text, does: 'changes', whole: DELETING.test(verb), ...unsure },
  }))
}

/** Tools whose paths are known by field name, and tools that take no path. */
const KNOWN = wordSet(`
  Bash Read NotebookRead Write Edit MultiEdit NotebookEdit Grep Glob LS apply_patch Agent Task Skill WebFetch
  WebSearch TodoWrite BashOutput TaskStop
`)

const WORD = (words: string) => new RegExp(`(?:^|[_-])(?:${words})|(?:${words.replace(/\b[a-z]/g, upper)})`)
const upper = (letter: string) => letter.toUpperCase()
const DELETING = WORD('delete|remove|move|rename|unlink|trash|rmdir|rm')
const WRITING = WORD(
  'write|edit|create|append|insert|replace|patch|update|put|save|upload|copy|set|apply|modify|delete|remove|move|rename|unlink|trash|rmdir|rm|chmod|link|touch|extract|restore|str_replace',
)
const READING = WORD(
  'read|get|list|search|find|view|show|stat|info|tree|grep|glob|open|cat|head|fetch|query|describe|diff|exists|check',
)

const NAMES_PATH = /path|file|folder|dir|uri|dest|source|target|^(?:to|from|src|dst|name)$/i
const DEPTH_MAX = 64

/** Values that are paths: under a key that says so, and on one line. */
function pathsIn(input: JsonObject, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return []
  const implied = impliedPaths(input).map(({ text }) => withoutScheme(text))
  const named = Object.entries(input).flatMap(([key, value]): readonly string[] => {
    if (isObject(value)) return pathsIn(value, depth + 1)
    const values: readonly Json[] = Array.isArray(value) ? value : [value]
    const objects = values.filter(isObject).flatMap((each) => pathsIn(each, depth + 1))
    const texts = values.filter((each) => typeof each === 'string')
    return [...objects, ...(NAMES_PATH.test(key) ? texts.filter(isPathLike).map(withoutScheme) : [])]
  })
  return [...named, ...implied]
}

function isPathLike(text: string): boolean {
  return text !== '' && text.length <= 1024 && !/[\n\r]/.test(text)
}

function withoutScheme(text: string): string {
  return text.replace(/^file:\/\//i, '')
}
