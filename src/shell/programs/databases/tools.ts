import type { VerbProgram } from '../../arguments/verbs.ts'
import { each, type ProgramTable } from '../program.ts'
import { ALTER, DESTROY_DATABASE } from './acts.ts'

const COMMON = `
  h|host= p|port= U|username= u|user= d|dbname|db= S|socket= maintenance-db= j|jobs= c|clean C|create drop
  help V|version i|interactive n|dry-run|schema=? if-exists F|format= l|list f|force e|echo uri= dryRun
  P|password=?
`

function tool(...rules: VerbProgram['rules']): VerbProgram {
  return { options: COMMON, inert: 'help version list dryRun', rules }
}

/** Into a file it only writes the statements down. */
const PG_RESTORE: VerbProgram = {
  options: `
    d|dbname= f|file= F|format= h|host= p|port= U|username= j|jobs= n|schema= t|table= c|clean C|create l|list
    help V|version if-exists O|no-owner x v|verbose 1
  `,
  inert: 'help version list file',
  rules: [['', ALTER, { given: 'clean' }]],
}

/** Programs that make, drop, restore and dump databases. */
export const DATABASE_TOOLS: ProgramTable = {
  ...each<VerbProgram>((acts) => ({ acts }), {
    'dropdb pg_dropcluster': tool(['*', DESTROY_DATABASE]),
    dropuser: tool(['*', ALTER]),
    mysqladmin: tool(['drop', DESTROY_DATABASE], ['shutdown', ALTER]),
    pg_restore: PG_RESTORE,
    pg_resetwal: {
      options: 'f|force n|dry-run D|pgdata= help',
      dryRun: 'dry-run',
      rules: [['*', DESTROY_DATABASE]],
    },
    mongorestore: tool(['', ALTER, { given: 'drop' }]),
  }),
  'mysqldump mariadb-dump pg_dump pg_dumpall mongodump mongoexport': { dumps: true },
}
