/**
 * Coverage counts the blocks of our own code, but not the loops inside built-in functions: `list.includes` in a loop is
 * quadratic, and every block of it is counted once. So, in the process that counts, the built-in functions that go
 * through elements are replaced by ones that add how many they went through.
 */
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

const one: Cost = () => 1
/** `for`, spreading, `new Map(…)` and `new Set(…)` take one element after another from an iterator. */
const ITERATORS = [[].values(), ''[Symbol.iterator](), new Map().entries(), new Set().values()]

const COSTS: readonly (readonly [object, Readonly<Record<string | symbol, Cost>>])[] = [
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
      // The text of a list of one is that one, not a copy.
      join: (self, result) => (self.length <= 1 ? 1 : lengthOf(result)),
      flat: resulting,
      fill: own,
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
  ...ITERATORS.map((each) => [Object.getPrototypeOf(each) as object, { next: one }] as const),
  [JSON, { stringify: resulting, parse: (_self, _result, [text]) => lengthOf(text) }],
]

/** Runs it with these functions replaced, in the whole process. Returns how many elements they went through. */
export async function chargedDuring(run: () => unknown): Promise<number> {
  const originals = REPLACED.map(([owner, name]) => Reflect.get(owner, name))
  for (const [owner, name, method] of REPLACED) put(owner, name, method)
  elements = 0
  await run()
  const counted = elements
  for (const [index, [owner, name]] of REPLACED.entries()) put(owner, name, originals[index])
  return counted
}

let elements = 0

function put(owner: object, name: string | symbol, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true })
}

function charging(original: Method, cost: Cost): Method {
  return function (...values) {
    const result = Reflect.apply(original, this, values)
    elements += cost(this ?? '', result, values)
    return result
  }
}

/**
 * A regular expression goes from where it starts to the end of its match, or to the end of the text; a sticky one tries
 * one place. What it goes back over is not seen.
 */
const originalExec = RegExp.prototype.exec

function exec(this: RegExp, text: string): RegExpExecArray | null {
  const from = this.global || this.sticky ? this.lastIndex : 0
  const found = Reflect.apply(originalExec, this, [text]) as RegExpExecArray | null
  const end = found === null ? (this.sticky ? from + 1 : lengthOf(text)) : found.index + found[0].length
  elements += Math.max(1, end - from)
  return found
}

/** The built-in one would not use a replaced `exec` everywhere. */
function test(this: RegExp, text: string): boolean {
  return this.exec(text) !== null
}

const REPLACED: readonly (readonly [owner: object, name: string | symbol, method: unknown])[] = [
  ...COSTS.flatMap(([owner, costs]) =>
    Reflect.ownKeys(costs).map((name) => {
      const cost = Reflect.get(costs, name) as Cost
      return [owner, name, charging(Reflect.get(owner, name) as Method, cost)] as const
    }),
  ),
  [RegExp.prototype, 'exec', exec],
  [RegExp.prototype, 'test', test],
]

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0
}
