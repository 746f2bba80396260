/** The input as it was checked. It is compared again before the call runs. */
export function judgedText(input: unknown): string {
  return JSON.stringify(input) ?? ''
}

/**
 * Makes an object equal to another one, in place, because the agent uses the object itself and not a replacement. Throws
 * if it cannot: a call that may only run with changes must not run without them.
 */
export function changeInPlace(input: Record<string, unknown>, to: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(input)) if (!Object.hasOwn(to, key)) delete input[key]
  for (const [key, value] of Object.entries(to)) {
    Object.defineProperty(input, key, { value, writable: true, enumerable: true, configurable: true })
  }
  const [found, wanted] = [input, to].map((each) => judgedText(inOneOrder(each)))
  if (found !== wanted)
    throw new Error('Holdpoint: this call may only run changed, and it cannot be changed. Tell the user.')
}

function inOneOrder(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
