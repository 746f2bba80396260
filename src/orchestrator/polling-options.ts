import { isObject, type Json, type JsonObject } from '../json.ts'

/** When a command counts as polling. */
export interface PollingOptions {
  /** How often the same command may run. */
  readonly repeats: number
  /** Only what ran within this time counts; undefined: the whole session. */
  readonly windowMs?: number
  /** How many commands of any kind may run within the window. */
  readonly commandsMax?: number
  /** `sleep`, `watch` and loops are polling by themselves. */
  readonly waiting: boolean
  /** So is looking into a folder of signals by any other command than the tools. */
  readonly lookups: boolean
}

/** Undefined: nobody wants it looked for. A value that cannot be used leaves the strict default. */
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

/** The keys of `polling`, and what each may be. */
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
