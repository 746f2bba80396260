import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { maySearch, type Places } from './paths.ts'

/** Whether a search stays in the folders that the orchestrator may search. An unreadable pattern does not. */
export function isSearchInside(tool: 'Grep' | 'Glob', input: JsonObject, places: Places): boolean {
  if (!isObject(input)) return false
  const given = input.path
  if (given !== undefined && given !== null && typeof given !== 'string') return false
  const path = typeof given === 'string' && given !== '' ? given : places.cwd
  if (tool === 'Grep') return maySearch(path, places)
  const pattern = textAt(input, 'pattern')
  return pattern !== undefined && maySearch(baseOf(pattern, path), places) && !leaves(pattern)
}

/** The folder where a pattern starts: its part without wildcards, which may be all of it. */
function baseOf(pattern: string, path: string): string {
  const fixed = fixedPart(pattern)
  return fixed.startsWith('/') || fixed.startsWith('~') ? fixed : `${path}/${fixed}`
}

function fixedPart(pattern: string): string {
  const wild = pattern.search(/[*?[{(!\\]/)
  return wild < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wild) + 1)
}

/** A `..` or another alternative after the first wildcard. `{.,x}.` and `\.\.` can also become two dots. */
function leaves(pattern: string): boolean {
  const rest = pattern.slice(fixedPart(pattern).length).replaceAll('\\', '')
  return rest.replace(/[{}()[\]|,]/g, '').includes('..') || /^[/~]|[{,(|][/~]/.test(rest)
}
