import { TOOLS } from '../sources/tool-names.ts'

/** Only these signs: Claude Code compares names. Anything else is a regex. */
export function isNames(matcher: string): boolean {
  return /^[A-Za-z0-9_ ,|-]*$/.test(matcher)
}

export function namesIn(matcher: string): readonly string[] {
  return matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Whether two matchers can both want one call. Of what is not a text, nobody can say; then they cannot. */
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

/** A regex here is a stranger's, so only its plain parts are looked at. */
function wants(matcher: string, name: string): boolean {
  if (isNames(matcher)) return namesIn(matcher).includes(name)
  return matcher
    .split('|')
    .map((part) => part.replace(/^[\^(]+|[)$]+$/g, ''))
    .some((part) => part === '.*' || part === name)
}
