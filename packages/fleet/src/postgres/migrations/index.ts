import { journal } from './0001-journal.ts'
import { roles } from './0002-roles.ts'
import { views } from './0003-views.ts'

/** In order; the number is the version of the schema. A migration that was released is never changed. */
export const MIGRATIONS: readonly {
  readonly version: number
  readonly name: string
  readonly sql: string
}[] = [
  { version: 1, name: 'journal', sql: journal },
  { version: 2, name: 'roles', sql: roles },
  { version: 3, name: 'views', sql: views },
]

export const SCHEMA_VERSION = MIGRATIONS.length
