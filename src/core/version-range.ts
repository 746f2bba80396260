import { isOlderVersion } from './version.ts'

/**
 * Whether a version is in a range as package managers write it: `>=0.3.0`, `^1.2.0`, `~1.2`, `1.x`, `>=1 <3`, joined by
 * `||`. Undefined: the range cannot be read.
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const any = range.split('||').map((part) => isInAll(version, part.trim()))
  return any.includes(true) ? true : any.includes(undefined) ? undefined : false
}

function isInAll(version: string, part: string): boolean | undefined {
  if (part === '' || part === '*') return true
  // `>= 1.2.0` is one condition.
  const conditions = part.replace(/([<>=^~])\s+/g, '$1').split(/\s+/)
  const each = conditions.map((condition) => holds(version, condition))
  return each.includes(undefined) ? undefined : !each.includes(false)
}

const CONDITION =
  /^(?<operator>>=|<=|>|<|=|\^|~)?v?(?<major>\d+)(?:\.(?<minor>\d+|[x*])(?:\.(?<patch>\d+|[x*])(?<label>-[\w.-]+)?)?)?$/

function holds(version: string, condition: string): boolean | undefined {
  const parts = CONDITION.exec(condition)?.groups
  if (parts === undefined) return undefined
  const numberOf = (text: string | undefined) =>
    text === undefined || /[x*]/.test(text) ? undefined : Number(text)
  const [major, minor, patch] = [Number(parts.major), numberOf(parts.minor), numberOf(parts.patch)]
  const lowest = `${major}.${minor ?? 0}.${patch ?? 0}${parts.label ?? ''}`
  const isFromHere = !isOlderVersion(version, lowest)
  const isBefore = (next: string) => isOlderVersion(version, next)
  const nextMinor = minor === undefined ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`
  switch (parts.operator) {
    case '>=':
      return isFromHere
    case '<':
      return !isFromHere
    case '>':
      return isOlderVersion(lowest, version)
    case '<=':
      return !isOlderVersion(lowest, version)
    case '^':
      // Before 1.0.0, the second number is the one that breaks.
      return (
        isFromHere &&
        isBefore(major > 0 || minor === undefined ? `${major + 1}.0.0` : nextCaret(minor, patch))
      )
    case '~':
      return isFromHere && isBefore(nextMinor)
    default:
      return patch === undefined ? isFromHere && isBefore(nextMinor) : version === lowest
  }
}

function nextCaret(minor: number, patch: number | undefined): string {
  return minor > 0 || patch === undefined ? `0.${minor + 1}.0` : `0.0.${patch + 1}`
}
