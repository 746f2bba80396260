import type { ActEffect } from '../../vocabulary/effect.ts'

export const DESTROY_DATABASE: ActEffect = {
  kind: 'data-destroy',
  act: 'sql/destroy',
  what: 'deletes or overwrites whole tables of a database',
}
export const ALTER: ActEffect = {
  kind: 'data-destroy',
  act: 'sql/alter',
  what: 'removes a column, an index, a user or another part of a database',
}
export const GRANT: ActEffect = {
  kind: 'privilege',
  act: 'sql/grant',
  what: 'gives somebody all rights over a database',
}
export const RUN_PROGRAM: ActEffect = {
  kind: 'privilege',
  act: 'sql/run-program',
  what: 'starts a program from inside a database client or server',
}

export function uncertainSql(effect: ActEffect): ActEffect {
  return { ...effect, unsure: 'a part of the statement is known only at run time' }
}
