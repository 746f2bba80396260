import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { OptionSchema } from '../../core/pack-options.ts'

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

/** The option `polling`. */
export const POLLING = {
  description: 'When a command counts as polling. `false`: never.',
  anyOf: [
    { type: 'boolean', enum: [false] },
    {
      type: 'object',
      properties: {
        repeats: { type: 'number', exclusiveMinimum: 0, description: 'How often the same command may run.' },
        windowMinutes: {
          type: 'number',
          exclusiveMinimum: 0,
          description: 'Only runs within this time count.',
        },
        commands: {
          type: 'number',
          exclusiveMinimum: 0,
          description: 'How many commands of any kind may run within the window.',
        },
        waiting: { type: 'boolean', description: '`sleep`, `watch` and loops always count.' },
        lookups: { type: 'boolean', description: 'Reading a signal folder without the tools counts too.' },
      },
    },
  ],
} as const satisfies OptionSchema

function positive(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined
}
