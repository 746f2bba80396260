import { isObject, type JsonObject } from '../../../../core/json.ts'
import { KINDS, type Kind, RETENTION_DAYS } from '../../../metrics/places.ts'

/** The options of the pack under `metrics`, with defaults filled in. */
export interface MetricOptions {
  /** Also store the input of every call, shortened and masked. */
  readonly input: boolean
  readonly retentionDays: Readonly<Record<Kind, number>>
}

const DAYS_MAX = 3_650

export function readMetricOptions(options: JsonObject): MetricOptions {
  const given = isObject(options.metrics ?? null) ? (options.metrics as JsonObject) : {}
  const days = isObject(given.retentionDays ?? null) ? (given.retentionDays as JsonObject) : {}
  const kept = KINDS.map((kind): [Kind, number] => {
    const wanted = days[kind]
    const isDays = typeof wanted === 'number' && wanted >= 1 && wanted <= DAYS_MAX
    return [kind, isDays ? wanted : RETENTION_DAYS[kind]]
  })
  return { input: given.input === true, retentionDays: Object.fromEntries(kept) as Record<Kind, number> }
}
