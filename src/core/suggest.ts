/** "Did you mean ...?": the accepted word that is closest to the given one, or undefined if none is close. */
export function suggest(word: string, accepted: readonly string[]): string | undefined {
  const meant = OTHER_WORDS[word.toLowerCase()]?.find((other) => accepted.includes(other))
  if (meant !== undefined) return meant
  if (word.length > LONGEST) return undefined
  const longer = accepted.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()))
  if (longer.length === 1 && word.length >= 3) return longer[0]
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: { readonly word: string; readonly distance: number } | undefined
  for (const candidate of accepted) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= limit && (best === undefined || distance < best.distance))
      best = { word: candidate, distance }
  }
  return best?.word
}

/** A longer word is not a typo, and comparing it takes time. */
const LONGEST = 64

/** Words of other tools with the same meaning. Object.create(null): `constructor` is not one of them. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = Object.assign(Object.create(null), {
  block: ['deny'],
  reject: ['deny'],
  fail: ['deny'],
  error: ['deny'],
  askfirst: ['ask'],
  prompt: ['ask'],
  warning: ['warn'],
  allow: ['pass'],
  approve: ['pass'],
  ignore: ['pass', 'off'],
  none: ['off', 'pass'],
  false: ['off'],
  disabled: ['off'],
  matcher: ['match'],
  timeout: ['timeoutMs'],
  onerror: ['onFailure'],
  command: ['run'],
  subagenttype: ['agentType'],
})

/** Insertions, deletions, replacements and swaps of neighbours each count as one step. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + Number(left[row - 1] !== right[column - 1])
      const swapped =
        left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
          ? (beforeLast[column - 2] ?? row) + 1
          : Number.POSITIVE_INFINITY
      current.push(Math.min(replaced, swapped, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = current
  }
  return last[right.length] ?? 0
}
