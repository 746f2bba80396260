import { type OptionTable, optionTable } from '../../arguments/options.ts'

/** A program that sends SQL to a database. */
export interface SqlClient {
  readonly options: OptionTable
  /** The options whose value is SQL. */
  readonly sql: readonly string[]
  /** The operand from which on operands are SQL; 0 is the first. */
  readonly operandsFrom?: number
  /** With one of these nothing is changed. */
  readonly inert?: readonly string[]
  /** The first operand is the database file. */
  readonly file?: boolean
  /** A verb stands before the options of the client: `cockroach sql -e`. */
  readonly verb?: string
  /** `-name` is one option. */
  readonly singleDash?: boolean
}

const POSTGRES: SqlClient = {
  options: optionTable(`
    c|command= d|dbname= h|host= p|port= U|username= f|file= v|set|variable= P|pset= F|field-separator=
    R|record-separator= o|output= L|log-file= T|table-attr= l|list a|echo-all A|no-align b e E H n q|quiet s S
    t|tuples-only w W x X|no-psqlrc z 0 1|single-transaction V|version help csv
  `),
  sql: ['command'],
  inert: ['version', 'help', 'list'],
}
const MYSQL: SqlClient = {
  options: optionTable(`
    e|execute= D|database= h|host= P|port= u|user= p|password=? S|socket= protocol= default-character-set=
    init-command= ssl-ca= ssl-mode= defaults-file= login-path= defaults-extra-file= defaults-group-suffix=
    delimiter= N|skip-column-names B|batch s|silent t|table v|verbose f|force E|vertical r|raw A n q w C H X
    V|version I|help ?|help
  `),
  sql: ['execute', 'init-command'],
  inert: ['version', 'help'],
}
const SQLITE: SqlClient = {
  options: optionTable(`
    cmd= init= separator= nullvalue= newline= vfs= mmap= maxsize= heap= c= s= f= file= readonly help version
    h|help bail batch column csv json header line list box table html markdown echo stats safe noheader
    interactive memtrace append ascii quote tabs unsigned no-stdin jsonlines
  `),
  sql: ['cmd', 'c', 's'],
  operandsFrom: 1,
  inert: ['readonly', 'help', 'version'],
  file: true,
  singleDash: true,
}
const EXECUTE = optionTable(`
  e|execute|query= q|query= Q|query= c|command= f|file|i= h|host= p|port=? u|user= d|database= S|server=
  U|user= P|password= k|keyspace= D|schema= w|warehouse= a|account= o|output= url= catalog= schema= password=
  format= certs-dir= n= insecure help version queries-file= multiquery v= r= s= t= b x config= connection=
`)
const PLAIN: SqlClient = { options: EXECUTE, sql: ['query', 'command'], inert: ['help', 'version'] }

export const SQL_CLIENTS: ReadonlyMap<string, SqlClient> = new Map([
  ['psql', POSTGRES],
  ['pgcli', POSTGRES],
  ['vsql', POSTGRES],
  ['usql', POSTGRES],
  ['mysql', MYSQL],
  ['mariadb', MYSQL],
  ['mycli', MYSQL],
  ['sqlite3', SQLITE],
  ['sqlite', SQLITE],
  ['duckdb', SQLITE],
  ['sqlcmd', PLAIN],
  ['cqlsh', PLAIN],
  ['clickhouse-client', PLAIN],
  ['clickhouse', { ...PLAIN, verb: 'client' }],
  ['cockroach', { ...PLAIN, verb: 'sql' }],
  ['snowsql', PLAIN],
  ['trino', PLAIN],
  ['presto', PLAIN],
  ['hive', PLAIN],
  ['beeline', PLAIN],
  ['spark-sql', PLAIN],
  ['impala-shell', PLAIN],
  ['influx', { ...PLAIN, singleDash: true }],
  ['sqlplus', PLAIN],
])
