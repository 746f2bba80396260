import { getNodeValue, type Node } from 'jsonc-parser'
import { placesIn } from '../../config/sources/claude-json.ts'
import type { Path } from '../../config/sources/locate.ts'
import { printable } from '../../config/sources/problems.ts'
import { bad, good, type Result } from '../../core/errors.ts'
import type { Origin } from '../../core/hook.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { isHookAddress, startsHookProgram } from '../../hosts/hook-entry.ts'
import { readJsonText } from '../../hosts/json-text.ts'

/** Claude settings as their author wrote them, with all their mistakes. */
export interface ClaudeFile {
  readonly path: string
  readonly text: string
  readonly root: Node | undefined
  readonly json: JsonObject
  place(path: Path): Origin
  readonly handlers: readonly ClaudeHandler[]
}

/** One handler, with the properties of its group. */
export interface ClaudeHandler {
  readonly event: string
  readonly matcher: Json | undefined
  readonly matcherPath: Path
  readonly value: JsonObject
  readonly path: Path
  /** Undefined for a handler that runs no command. */
  readonly command: string | undefined
}

const TEXT_MAX_CHARACTERS = 8 * 1024 * 1024

export function readClaudeFile(text: string, path: string): Result<ClaudeFile> {
  if (text.length > TEXT_MAX_CHARACTERS) {
    return bad('CONFIG_TOO_LARGE', `The file has ${text.length} characters.`, { file: path, line: 1 })
  }
  const document = readJsonText(text)
  if (!document.ok) {
    const { line = 1, column = 1, message } = document.problem
    return bad('CONFIG_VALUE', printable(message), { file: path, line, column })
  }
  const { root } = document.value
  const json: unknown = root === undefined ? {} : plainValue(root)
  if (!isObject(json)) {
    return bad('CONFIG_VALUE', 'The file must contain one JSON object.', { file: path, line: 1 })
  }
  return good(claudeFileOf({ path, text, root, json, place: placesIn(text, root, path) }))
}

/** The same for hooks that were read from another format. `spell` puts in the folders that commands name. */
export function claudeFileOf(
  file: Omit<ClaudeFile, 'handlers'>,
  spell: (command: string) => string = (command) => command,
): ClaudeFile {
  const handlers = handlersIn(file.json).map((handler) =>
    handler.command === undefined ? handler : { ...handler, command: spell(handler.command) },
  )
  return { ...file, handlers }
}

function plainValue(root: Node): unknown {
  try {
    return getNodeValue(root)
  } catch {
    return undefined
  }
}

function handlersIn({ hooks }: JsonObject): readonly ClaudeHandler[] {
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    asList(groups)
      .flatMap((group, index) => inGroup(event, group, ['hooks', event, index]))
      .filter((handler) => !isOwn(handler)),
  )
}

/** Holdpoint's own hooks are checked by `doctor`. */
function isOwn({ command, value: { args, url } }: ClaudeHandler): boolean {
  if (typeof url === 'string' && isHookAddress(url)) return true
  return command !== undefined && startsHookProgram(command, args)
}

function inGroup(event: string, group: Json, path: Path): readonly ClaudeHandler[] {
  if (!isObject(group)) return []
  const { matcher, hooks } = group
  const common = { event, matcher, matcherPath: [...path, 'matcher'] }
  const handler = (value: JsonObject, at: Path): ClaudeHandler => {
    const command = value.command ?? value.script ?? value.handler
    return { ...common, value, path: at, command: typeof command === 'string' ? command : undefined }
  }
  if (hooks === undefined) return [handler(group, path)]
  return asList(hooks).flatMap((value, index) =>
    isObject(value) ? [handler(value, [...path, 'hooks', index])] : [],
  )
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}
