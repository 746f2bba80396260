import { type JsonObject, textAt } from '../../core/json.ts'

/** How a person can allow a stopped call. */
export type AllowCodes =
  /** The guards gave no code: no exception can be made. */
  | { readonly kind: 'none' }
  | { readonly kind: 'managed' }
  /** One code for the call; in records of 0.1.0 one for each guard. */
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

export function allowCodesOf(stops: readonly JsonObject[]): AllowCodes {
  const codes = stops.map((stop) => textAt(stop, 'code'))
  const known = codes.filter((code) => code !== undefined)
  if (known.length === 0 || known.length < codes.length) return { kind: 'none' }
  if (stops.some(({ layer }) => layer === 'managed')) return { kind: 'managed' }
  return { kind: 'codes', codes: [...new Set(known)] }
}
