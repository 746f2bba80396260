import { type ActEffect, act } from '../../vocabulary/effect.ts'

export const DESTROY_DATABASE = act(
  'sql/destroy',
  'data-destroy',
  'deletes or overwrites whole tables of a database',
)
export const ALTER = act(
  'sql/alter',
  'data-destroy',
  'removes a column, an index, a user or another part of a database',
)
export const GRANT = act('sql/grant', 'privilege', 'gives somebody all rights over a database')
export const RUN_PROGRAM = act(
  'sql/run-program',
  'privilege',
  'starts a program from inside a database client or server',
)
export const FLUSH = act('key-value/flush', 'data-destroy', 'empties a store of keys or documents')
export const CONFIGURE = act(
  'key-value/configure',
  'system-change',
  'stops a store, or changes where it keeps and gets its data',
)
export const RESET = act(
  'migrations/reset',
  'data-destroy',
  'drops or empties the whole database of the application',
)

export function uncertain(effect: ActEffect, unsure: string): ActEffect {
  return { ...effect, unsure }
}
