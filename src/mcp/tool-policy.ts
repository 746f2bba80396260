import { HoldpointError, type Result } from '../errors.ts'
import { globMatcher, parseGlob } from '../glob.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ToolPolicy, ToolPromise } from './conversation.ts'
import { changePins, type Definition, definitionOf, type Pin, type Pins } from './pins.ts'

export interface ToolPolicyOptions {
  readonly hide: readonly string[]
  /** Empty: all that are not hidden. */
  readonly only: readonly string[]
  readonly pin: PinMode
  readonly pinFile: string
  /** What tools promise of their results is left out of lists: then results may say more than was promised. */
  readonly dropOutputSchemas: boolean
  /** For the person: a tool is not what it was. */
  changed(text: string): void
}

/** `on`: what changed is hidden until a person accepts it. `warn`: it is said. */
export const PIN_MODES = ['on', 'warn', 'off'] as const
export type PinMode = (typeof PIN_MODES)[number]

/** Hidden tools, and tools that are not what they were: not seen, and not called either. */
export function createToolPolicy(options: ToolPolicyOptions): ToolPolicy {
  const hides = options.hide.map((glob) => matcher(glob.toLowerCase()))
  const onlies = options.only.map(matcher)
  const isHidden = (name: string) =>
    // Stricter than the server may be: it could take `Delete` for `delete`.
    hides.some((hide) => hide(name.toLowerCase())) ||
    (onlies.length > 0 && !onlies.some((only) => only(name)))
  const pinned = options.pin === 'off' ? undefined : watchPins(options)
  const promises = new Map<string, ToolPromise>()
  return {
    refusal: (name) => (isHidden(name) ? `There is no tool ${shown(name)} here.` : pinned?.refusal(name)),
    seen: (tools, isMore) => {
      const open = tools.filter(isTool).filter(({ name }) => !isHidden(name))
      pinned?.look(open, isMore)
      const shown = open.filter(({ name }) => pinned?.refusal(name) === undefined)
      if (options.dropOutputSchemas) return shown.map(withoutPromise)
      for (const tool of shown) if (promises.size < PROMISES_MAX) promises.set(tool.name, promiseOf(tool))
      return shown
    },
    promise: (name) => promises.get(name) ?? 'nothing',
    warnings: () => pinned?.warnings() ?? [],
  }
}

/** More than any server lists, so that one that lists for ever fills no memory. */
const PROMISES_MAX = 10_000

function promiseOf({ outputSchema }: Tool): ToolPromise {
  if (outputSchema === undefined) return 'nothing'
  const isClosed = isObject(outputSchema) && outputSchema.additionalProperties === false
  return isClosed ? 'only this data' : 'data'
}

function withoutPromise(tool: Tool): Tool {
  if (tool.outputSchema === undefined) return tool
  const { outputSchema: _promise, ...rest } = tool
  return rest
}

const NAME_MAX = 200

function shown(name: string): string {
  return JSON.stringify(name.slice(0, NAME_MAX))
}

type Tool = JsonObject & { readonly name: string }

function isTool(tool: Json): tool is Tool {
  return isObject(tool) && typeof tool.name === 'string'
}

function matcher(glob: string): (word: string) => boolean {
  const parsed = parseGlob(glob)
  if (!parsed.ok) throw new HoldpointError(parsed.problem)
  return globMatcher(parsed.value)
}

interface PinWatch {
  look(tools: readonly Tool[], isMore: boolean): void
  refusal(name: string): string | undefined
  warnings(): readonly string[]
}

function watchPins({ pin, pinFile, changed }: ToolPolicyOptions): PinWatch {
  /** As of the last look. Undefined: the server has listed nothing yet. */
  let pins: Result<Pins> | undefined
  const said = new Set<string>()
  let untold: string[] = []
  let isFirstSight = false
  const tell = (text: string) => {
    if (said.has(text)) return
    said.add(text)
    changed(text)
    untold.push(`Holdpoint: ${text}`)
  }
  return {
    look(tools, isMore) {
      pins = changePins(pinFile, (before) => {
        if (!isMore) isFirstSight = before === undefined
        return withSeen(before, tools, isFirstSight || pin === 'warn')
      })
      if (!pins.ok) return tell(pins.problem.message)
      for (const { name } of tools) {
        const text = difference(name, pins.value.get(name))
        if (text !== undefined) tell(text)
      }
    },
    refusal(name) {
      if (pin !== 'on') return undefined
      if (pins === undefined) return `${UNKNOWN} The server has not listed its tools yet.`
      if (!pins.ok) return `${UNKNOWN} ${pins.problem.message}`
      const known = pins.value.get(name)
      return known === undefined ? `The server has listed no tool ${shown(name)}.` : difference(name, known)
    },
    warnings() {
      const texts = untold
      untold = []
      return texts
    },
  }
}

const UNKNOWN = 'This tool cannot be compared with what it was.'

function difference(name: string, pin: Pin | undefined): string | undefined {
  if (pin === undefined || (pin.accepted !== undefined && pin.seen === undefined)) return undefined
  if (pin.accepted !== undefined) {
    return `The description of the tool ${shown(name)} is not what it was. A person can look at it and accept it with \`holdpoint mcp --accept\`.`
  }
  return `The tool ${shown(name)} is new, and nobody has accepted it. A person can look at it and accept it with \`holdpoint mcp --accept\`.`
}

/**
 * The first list of a server is taken as it is; in `warn` also tools that come later. A name that stands twice in a list
 * is what it was only if it is so both times. The same pins: nothing is new.
 */
function withSeen(before: Pins | undefined, tools: readonly Tool[], acceptsNew: boolean): Pins {
  const known = before ?? new Map<string, Pin>()
  const listed = new Map<string, Pin>()
  for (const tool of tools) {
    const earlier = listed.get(tool.name)
    const next = nextPin(earlier ?? known.get(tool.name), definitionOf(tool), acceptsNew)
    if (earlier?.seen === undefined || next.seen !== undefined) listed.set(tool.name, next)
  }
  const news = [...listed].filter(([name, next]) => {
    const pin = known.get(name)
    return pin === undefined || pin.seen?.hash !== next.seen?.hash
  })
  return before !== undefined && news.length === 0 ? before : new Map([...known, ...news])
}

function nextPin(pin: Pin | undefined, now: Definition, acceptsNew: boolean): Pin {
  const accepted = pin?.accepted ?? (acceptsNew && pin === undefined ? now : undefined)
  if (accepted === undefined) return { seen: now }
  return accepted.hash === now.hash ? { accepted } : { accepted, seen: now }
}
