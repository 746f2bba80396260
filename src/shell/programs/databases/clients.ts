import { wordList } from '../../../core/word-list.ts'
import { isSet, type OptionText, readOptions, valuesOf } from '../../arguments/options.ts'
import { type VerbProgram, verbEffects } from '../../arguments/verbs.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import type { Launch, LaunchCall } from '../../vocabulary/launch.ts'
import { exactForm, exactText, exactWord, isWhollyUnknown, type Word } from '../../words/words.ts'
import { launch, lineRuns, shellQuoted, shellRun } from '../aspects/code-runs.ts'
import type { ProgramCall, ProgramTable } from '../program.ts'
import { DESTROY_DATABASE } from './acts.ts'
import { sqlEffects } from './statements.ts'

/** A program that sends SQL to a database. */
export interface SqlClient {
  readonly options: OptionText
  /** The options whose value is SQL. */
  readonly sql: string
  /** The operand from which on operands are SQL; 0 is the first. */
  readonly operandsFrom?: number
  /** With one of these nothing is changed. */
  readonly inert?: string
  /** The first operand is the database file. */
  readonly file?: boolean
  /** A verb stands before the options of the client: `cockroach sql -e`. */
  readonly verb?: string
  /** `-name` is one option. */
  readonly singleDash?: boolean
}

const POSTGRES: SqlClient = {
  options: `
    c|command= d|dbname= h|host= p|port= U|username= f|file= v|set|variable= P|pset= F|field-separator=
    R|record-separator= o|output= L|log-file= T|table-attr= l|list a|echo-all A|no-align b e E H n q|quiet s S
    t|tuples-only w W x X|no-psqlrc z 0 1|single-transaction V|version help csv
  `,
  sql: 'command',
  inert: 'version help list',
}
const MYSQL: SqlClient = {
  options: `
    e|execute= D|database= h|host= P|port= u|user= p|password=? S|socket= protocol= default-character-set=
    init-command= ssl-ca= ssl-mode= defaults-file= login-path= defaults-extra-file= defaults-group-suffix=
    delimiter= N|skip-column-names B|batch s|silent t|table v|verbose f|force E|vertical r|raw A n q w C H X
    V|version I|help ?|help
  `,
  sql: 'execute init-command',
  inert: 'version help',
}
const SQLITE: SqlClient = {
  options: `
    cmd= init= separator= nullvalue= newline= vfs= mmap= maxsize= heap= c= s= f= file= readonly help version
    h|help bail batch column csv json header line list box table html markdown echo stats safe noheader
    interactive memtrace append ascii quote tabs unsigned no-stdin jsonlines
  `,
  sql: 'cmd c s',
  operandsFrom: 1,
  inert: 'readonly help version',
  file: true,
  singleDash: true,
}
const EXECUTE = `
  e|execute|query= q|query= Q|query= c|command= f|file|i= h|host= p|port=? u|user= d|database= S|server=
  U|user= P|password= k|keyspace= D|schema= w|warehouse= a|account= o|output= url= catalog= schema= password=
  format= certs-dir= n= insecure help version queries-file= multiquery v= r= s= t= b x config= connection=
`
const PLAIN: SqlClient = { options: EXECUTE, sql: 'query command', inert: 'help version' }

const INFLUX: VerbProgram = {
  options: 'host= token= o|org= b|bucket= n|name= i|id= h|help execute= database=',
  rules: [
    ['bucket|org|measurement delete', DESTROY_DATABASE],
    ['delete', DESTROY_DATABASE],
  ],
}

const asks = (client: SqlClient) => ({ does: (call: ProgramCall) => clientEffects(call, client) })

/** Programs that send SQL to a database. A file of SQL is a program like any other. */
export const DATABASE_CLIENTS: ProgramTable = {
  psql: { ...asks(POSTGRES), starts: clientLaunch(false), readsText: filesOfOption },
  'pgcli vsql usql': { ...asks(POSTGRES), readsText: filesOfOption },
  'mysql mariadb': { ...asks(MYSQL), starts: clientLaunch(false), readsText: filesOfEnding },
  mycli: { ...asks(MYSQL) },
  'sqlite3 duckdb': { ...asks(SQLITE), starts: clientLaunch(true), readsText: filesOfEnding },
  sqlite: { ...asks(SQLITE) },
  'sqlcmd cqlsh snowsql trino presto hive beeline spark-sql impala-shell': {
    ...asks(PLAIN),
    readsText: filesOfOption,
  },
  'clickhouse-client': { ...asks(PLAIN), readsText: filesOfEnding },
  clickhouse: { ...asks({ ...PLAIN, verb: 'client' }), readsText: filesOfEnding },
  cockroach: { ...asks({ ...PLAIN, verb: 'sql' }) },
  sqlplus: { ...asks(PLAIN) },
  influx: {
    does: (call) => [
      ...clientEffects(call, { ...PLAIN, singleDash: true }),
      ...verbEffects(call.command, INFLUX),
    ],
  },
}

function clientEffects({ command, input, fileInput }: ProgramCall, client: SqlClient): readonly ActEffect[] {
  const [verb, ...rest] = command.args
  if (client.verb !== undefined && exactText(verb) !== client.verb) return []
  const args = client.verb === undefined ? command.args : rest
  const read = readOptions(client.singleDash === true ? args.map(twoDashes) : args, client.options)
  if (wordList(client.inert ?? '').some((name) => isSet(read, name))) return []
  const [first] = read.operands
  if (client.file === true && /^(:memory:|\/tmp\/.*)?$/.test(exactText(first) ?? '?')) return []
  const operands = client.operandsFrom === undefined ? [] : read.operands.slice(client.operandsFrom)
  const given = input()
  const forms = [
    ...[...valuesOf(read, ...wordList(client.sql)), ...operands]
      .filter((word) => !isFileContent(word))
      .flatMap(({ forms: each }) => each),
    ...[given, ...valuesOf(read, 'file').map((word) => fileInput(word))].flatMap((each) =>
      each.kind === 'text' ? each.forms : [],
    ),
  ]
  return sqlEffects(forms)
}

/** `"$(cat query.sql)"` is as good as the file. */
function isFileContent(word: Word): boolean {
  const [form] = word.forms
  return form !== undefined && isWhollyUnknown(form) && /^\$\(\s*(cat|<)\s/.test(form[0]?.text ?? '')
}

function twoDashes(word: Word): Word {
  const text = exactText(word)
  if (text === undefined || !/^-[a-z]{2,}/.test(text)) return word
  return { ...word, forms: [[{ kind: 'text', text: `-${text}` }]] }
}

/** `\\i x.sql`, `.read x.sql`, `source x.sql`: a file that the client is told to read. */
const INCLUDES = /(?:\\ir?|\\\.|\.read|(?:^|;)\s*source)\s+["']?([^\s"';]+)/gi

function includedIn(word: Word): readonly Word[] {
  return [...(exactText(word) ?? '').matchAll(INCLUDES)].map(([, file = '']) => exactWord(file))
}

/** `-f x.sql`, and what a word tells it to include. */
function filesOfOption(args: readonly Word[]): readonly Word[] {
  return args.flatMap((word, at) => {
    const included = includedIn(word)
    if (included.length > 0) return included
    const attached = /^(?:--file=|-f)(.+)$/s.exec(exactText(word) ?? '')?.[1]
    if (attached !== undefined) return [exactWord(attached)]
    return at > 0 && /^(?:-f|-i|--file)$/.test(exactText(args[at - 1]) ?? '') ? [word] : []
  })
}

/** Clients whose options of these letters mean something else: a file is told by its ending. */
export function filesOfEnding(args: readonly Word[]): readonly Word[] {
  return args.flatMap((word, at) => {
    const included = includedIn(word)
    if (included.length > 0) return included
    const isFile = /\.(?:js|sql|cql)$/.test(exactText(word) ?? '')
    return isFile || /^--?init$/.test(exactText(args[at - 1]) ?? '') ? [word] : []
  })
}

const CLIENT = /(?:^|[\n;])\s*(?:\\!|\.(?:shell|system)|system)[ \t]+([^\n]+)/g

/** `psql -c '\! code'`, `sqlite3 db '.shell code'`, and the same on standard input. */
function clientLaunch(isFile: boolean): (call: LaunchCall) => Launch | undefined {
  return ({ name, args, input }) => {
    const texts = [
      ...args.map((word) => exactText(word) ?? ''),
      ...(input.forms?.map((form) => exactForm(form) ?? '') ?? []),
    ]
    const runs = lineRuns(name, args.length, texts, CLIENT)?.runs ?? []
    const files = [...(isFile ? texts.flatMap(sqliteFiles) : []), ...texts.flatMap(loadedFiles)]
    return launch(args.length, [...runs, ...files.slice(0, 16).map((code) => shellRun(name, code))])
  }
}

/** `select writefile('x', …)`, `.output x`: as the shell would say it. */
function sqliteFiles(text: string): readonly string[] {
  const calls = [...text.matchAll(/\b(readfile|writefile)\s*\(\s*'([^']*)'/gi)].map(
    ([, does = '', file = '']) => `${/^r/i.test(does) ? 'cat' : 'tee'} ${shellQuoted(file)}`,
  )
  const dots = [...text.matchAll(/^\s*\.(?:output|once|log|backup|save)\s+(?:-\w+\s+)*([^\s|]+)\s*$/gm)].map(
    ([, file = '']) => `tee ${shellQuoted(file)}`,
  )
  return [...calls, ...dots]
}

const LOADED =
  /\b(?:read_(?:text|csv|csv_auto|json|json_auto|blob|parquet)\s*\(\s*\[?|load\s+data\s+(?:\w+\s+)?infile\s+|\\copy\s+\S+\s+from\s+|from\s+)'([^'\n]+)'|^\s*\.import\s+(?:-\S+\s+)*(\S+)/gim

/** `read_text('x')`, `LOAD DATA LOCAL INFILE 'x'`, `.import x t`: what is in the file can be selected then. */
function loadedFiles(text: string): readonly string[] {
  return [...text.matchAll(LOADED)]
    .map(([, quoted, bare]) => quoted ?? bare ?? '')
    .filter((file) => !file.startsWith('|') && !/^\w+:\/\//.test(file))
    .map((file) => `cat ${shellQuoted(file)}`)
}
