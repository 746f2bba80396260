import { TOOLS } from '../../config/sources/tool-names.ts'

/** Claude Code compares matchers with only these characters as names. Anything else is a regex. */
export function isNames(matcher: string): boolean {
  return /^[A-Za-z0-9_ ,|-]*$/.test(matcher)
}

export function namesIn(matcher: string): readonly string[] {
  return matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Whether two matchers can both match one call. False if one of them is not a string. */
export function canMeet(a: unknown, b: unknown): boolean {
  if (isAll(a) || isAll(b)) return true
  if (typeof a !== 'string' || typeof b !== 'string') return false
  if (a === b) return true
  const isIn = (matcher: string) => (name: string) => wants(matcher, name)
  const named = [...TOOLS, ...[a, b].filter(isNames).flatMap(namesIn)]
  return named.filter(isIn(a)).some(isIn(b))
}

function isAll(matcher: unknown): boolean {
  return matcher === undefined || matcher === '' || matcher === '*' || matcher === '.*'
}

/** The regex comes from an untrusted file, so it is not executed: only its plain parts are used. */
function wants(matcher: string, name: string): boolean {
  if (isNames(matcher)) return namesIn(matcher).includes(name)
  return matcher
    .split('|')
    .map((part) => part.replace(/^[\^(]+|[)$]+$/g, ''))
    .some((part) => part === '.*' || part === name)
}
