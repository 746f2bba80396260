import { isObject, type Json, type JsonObject } from '../../core/json.ts'

/** When a command counts as polling. */
export interface PollingOptions {
  /** How often the same command may run. */
  readonly repeats: number
  /** Only runs within this time count. Undefined: the whole session. */
  readonly windowMs?: number
  /** How many commands of any kind may run within the window. */
  readonly commandsMax?: number
  /** `sleep`, `watch` and loops always count as polling. */
  readonly waiting: boolean
  /** Reading a signal folder with any command other than the tools also counts as polling. */
  readonly lookups: boolean
}

/** Undefined: polling is not checked. A value that cannot be used is replaced by the strict default. */
export function pollingOptions(options: JsonObject): PollingOptions | undefined {
  const given = options.polling
  if (given === false) return undefined
  const asked: JsonObject = isObject(given) ? given : {}
  const minutes = positive(asked.windowMinutes)
  const commandsMax = positive(asked.commands)
  return {
    repeats: Math.floor(positive(asked.repeats) ?? 1) || 1,
    ...(minutes === undefined ? {} : { windowMs: minutes * 60_000 }),
    ...(commandsMax === undefined ? {} : { commandsMax }),
    waiting: asked.waiting === true,
    lookups: asked.lookups === true,
  }
}

/** The keys of `polling`, and the values that each accepts. */
export const POLLING: Readonly<Record<string, (value: Json) => boolean>> = {
  repeats: isPositive,
  windowMinutes: isPositive,
  commands: isPositive,
  waiting: isYesOrNo,
  lookups: isYesOrNo,
}

function isPositive(value: Json): boolean {
  return positive(value) !== undefined
}

function isYesOrNo(value: Json): boolean {
  return typeof value === 'boolean'
}

function positive(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined
}
