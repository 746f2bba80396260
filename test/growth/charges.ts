/**
 * Coverage counts the blocks of our own code, but not the loops inside built-in functions: `list.includes` in a loop is
 * quadratic, and every block of it is counted once. So, in the process that counts, the built-in functions that go
 * through elements are replaced by ones that add how many they went through.
 */
export const charged = { elements: 0 }

// biome-ignore lint/suspicious/noExplicitAny: built-in functions of any shape are wrapped
type Method = (this: any, ...values: any[]) => any
type Cost = (self: { readonly length: number }, result: unknown, values: readonly unknown[]) => number

const own: Cost = (self) => self.length
const resulting: Cost = (_self, result) => lengthOf(result)
/** A search goes from its start to what it finds, or to the end. */
const searched: Cost = (self, result, [, from]) => {
  const start = typeof from === 'number' ? Math.max(0, from) : 0
  return Math.max(1, (typeof result === 'number' && result >= 0 ? result : self.length) - start)
}

const COSTS: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [
    Array.prototype,
    {
      includes: own,
      indexOf: searched,
      lastIndexOf: own,
      slice: resulting,
      concat: resulting,
      splice: own,
      shift: own,
      unshift: own,
      reverse: own,
      join: resulting,
      flat: resulting,
      fill: own,
      [Symbol.iterator as unknown as string]: own,
    },
  ],
  [
    String.prototype,
    {
      indexOf: searched,
      lastIndexOf: own,
      includes: own,
      split: own,
      replace: own,
      replaceAll: own,
      trim: own,
      trimEnd: own,
      toLowerCase: own,
      normalize: own,
      repeat: resulting,
      padEnd: resulting,
      [Symbol.iterator as unknown as string]: own,
    },
  ],
  [
    Object,
    {
      entries: (_self, result) => lengthOf(result),
      keys: (_self, result) => lengthOf(result),
      values: (_self, result) => lengthOf(result),
      fromEntries: (_self, result) => Object.getOwnPropertyNames(result).length,
    },
  ],
  [JSON, { stringify: resulting, parse: (_self, _result, [text]) => lengthOf(text) }],
]

/** Replaces them in this process, for good. */
export function chargeBuiltIns(): void {
  for (const [owner, costs] of COSTS) {
    for (const name of Reflect.ownKeys(costs)) replace(owner, name, costs[name as string] ?? own)
  }
  chargeExec()
}

function replace(owner: object, name: string | symbol, cost: Cost): void {
  const original = Reflect.get(owner, name) as Method
  const method: Method = function (...values) {
    const result = Reflect.apply(original, this, values)
    charged.elements += cost(this ?? '', result, values)
    return result
  }
  Object.defineProperty(owner, name, { value: method, writable: true, configurable: true })
}

/**
 * A regular expression goes from where it starts to the end of its match, or to the end of the text; a sticky one tries
 * one place. What it goes back over is not seen.
 */
function chargeExec(): void {
  const original = RegExp.prototype.exec
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = Reflect.apply(original, this, [text]) as RegExpExecArray | null
    const end = found === null ? (this.sticky ? from + 1 : lengthOf(text)) : found.index + found[0].length
    charged.elements += Math.max(1, end - from)
    return found
  }
  // The built-in test and the string methods would use the original where nothing was replaced.
  RegExp.prototype.test = function (text) {
    return this.exec(text) !== null
  }
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0
}
