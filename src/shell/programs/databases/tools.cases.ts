import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['dropdb shop', 'data-destroy sql/destroy'],
  ['dropdb --help'],
  ['dropuser app', 'data-destroy sql/alter'],
  ['mysqladmin -u root status'],
  ['mysqladmin -u root drop shop', 'data-destroy sql/destroy'],
  ['pg_restore -d shop dump'],
  ['pg_restore --clean -d shop dump', 'data-destroy sql/alter'],
  ['pg_restore --clean -f out.sql dump'],
  ['pg_resetwal -f data', 'data-destroy sql/destroy'],
  ['pg_dropcluster 16 main', 'data-destroy sql/destroy'],
  ['mongorestore --drop dump', 'data-destroy sql/alter'],
  ['pg_dump --clean shop > dump.sql', 'write /srv/project/dump.sql'],
]
