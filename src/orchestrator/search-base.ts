import { isObject, type JsonObject, textAt } from '../json.ts'
import { maySearch, type Places } from './paths.ts'

/** Whether a search stays where the orchestrator may search. What cannot be read stays nowhere. */
export function staysInside(tool: 'Grep' | 'Glob', input: JsonObject, places: Places): boolean {
  if (!isObject(input)) return false
  const given = input.path
  if (given !== undefined && given !== null && typeof given !== 'string') return false
  const path = typeof given === 'string' && given !== '' ? given : places.cwd
  if (tool === 'Grep') return maySearch(path, places)
  const pattern = textAt(input, 'pattern')
  return pattern !== undefined && maySearch(baseOf(pattern, path), places) && !leaves(pattern)
}

/** The folder a pattern starts from: its part without wildcards, which may be all of it. */
function baseOf(pattern: string, path: string): string {
  const fixed = fixedPart(pattern)
  return fixed.startsWith('/') || fixed.startsWith('~') ? fixed : `${path}/${fixed}`
}

function fixedPart(pattern: string): string {
  const wild = pattern.search(/[*?[{(!\\]/)
  return wild < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wild) + 1)
}

/** A way up, or another beginning, behind the first wildcard; `{.,x}.` and `\.\.` become two dots as well. */
function leaves(pattern: string): boolean {
  const rest = pattern.slice(fixedPart(pattern).length).replaceAll('\\', '')
  return rest.replace(/[{}()[\]|,]/g, '').includes('..') || /^[/~]|[{,(|][/~]/.test(rest)
}
