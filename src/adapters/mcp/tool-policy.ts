import { HoldpointError, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { globMatcher, parseGlob } from '../../core/match/glob.ts'
import type { ToolPolicy, ToolPromise } from './conversation.ts'
import { changePins, type Definition, definitionOf, type Pin, type Pins } from './pins.ts'

export interface ToolPolicyOptions {
  readonly hide: readonly string[]
  /** Empty: all tools that are not hidden. */
  readonly only: readonly string[]
  readonly pin: PinMode
  readonly pinFile: string
  /** Output schemas are removed from lists: then results may have more fields. */
  readonly dropOutputSchemas: boolean
  /** For the user: a tool has changed. */
  changed(text: string): void
}

/** `on`: changed tools are hidden until the user accepts them. `warn`: they are reported. */
export const PIN_MODES = ['on', 'warn', 'off'] as const
export type PinMode = (typeof PIN_MODES)[number]

/** Hidden tools and changed tools: they can be neither seen nor called. */
export function createToolPolicy(options: ToolPolicyOptions): ToolPolicy {
  const hides = options.hide.map((glob) => matcher(glob.toLowerCase()))
  const onlies = options.only.map(matcher)
  const isHidden = (name: string) =>
    // Ignores case, because the server may take `Delete` for `delete`.
    hides.some((hide) => hide(name.toLowerCase())) ||
    (onlies.length > 0 && !onlies.some((only) => only(name)))
  const pinned = options.pin === 'off' ? undefined : watchPins(options)
  const promises = new Map<string, ToolPromise>()
  return {
    refusal: (name) => (isHidden(name) ? `Unknown tool ${shown(name)}.` : pinned?.refusal(name)),
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

/** More than any server lists, so that an endless list does not fill the memory. */
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
  /** As of the last list. Undefined: the server has not listed its tools yet. */
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

const UNKNOWN = 'Holdpoint cannot check whether this tool has changed.'

function difference(name: string, pin: Pin | undefined): string | undefined {
  if (pin === undefined || (pin.accepted !== undefined && pin.seen === undefined)) return undefined
  if (pin.accepted !== undefined) {
    return `The description of the tool ${shown(name)} has changed. The user can review and accept it with \`holdpoint mcp --accept\`.`
  }
  return `The tool ${shown(name)} is new and was not accepted yet. The user can review and accept it with \`holdpoint mcp --accept\`.`
}

/**
 * The first list of a server is accepted as it is; with `warn`, later tools too. A name that appears twice in
 * a list is unchanged only if both are. Returns the same pins if nothing is new.
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
