import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { PRINTERS as CREDENTIALS } from '../credential-printers.ts'
import {
  DATA_ONLY,
  METADATA_ONLY,
  PATTERN_FIRST,
  INTERPRETERS as QUOTES,
  REMOVES,
  WRITES_ALL,
  WRITES_LAST,
} from '../file-programs.ts'
import { asksWithoutShowing, KEY_OPTIONS, LOADERS, LOADS, MAY_ASK, PRINTERS as SHOWS } from '../file-uses.ts'
import { scriptFile, scriptsSet } from '../expand/npm-scripts.ts'
import { fileAt, putFile } from '../expand/line-files.ts'
import { LAUNCHERS } from '../launchers/launchers.ts'
import { READERS } from '../launchers/script-files.ts'
import { ROWS } from '../line-acts.ts'
import { MODEL_OF } from '../models/index.ts'
import { SENDERS } from '../transfers.ts'
import { printsEnvironment } from '../variables-shown.ts'
import { exactText, exactWord, type Word } from '../words/words.ts'
import { ALL_WRAPPERS, WRAPPERS } from '../wrappers.ts'
import { interpreterSource, scriptSource, shellSource, valueAfter } from './aspects/code-source.ts'
import type { FileUse } from './aspects/file-use.ts'
import { startedJar, startedScript } from './aspects/started-by.ts'
import type { Interpreter } from './aspects/interpreter.ts'
import { JAVASCRIPT } from './languages/node.ts'
import { RUNNERS as FETCHING } from './legacy-fetching.ts'
import type { Keeps, Program } from './program.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
const text = (word: Word | undefined): string => exactText(word) ?? ''
const SHELLS = words('sh bash zsh dash ksh mksh ash rbash fish yash csh tcsh pwsh powershell')
const CODE =
  /^(?:python[\d.]*|pypy[\d.]*|py|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua[\d.]*|luajit|Rscript|osascript|tclsh|expect|groovy|julia)$/
const STARTS = /^(python[\d.]*|py|pypy[\d.]*|php[\d.]*|ruby|node|nodejs|tsx|ts-node)$/
const PASSES_ON = words(
  'cat tee head tail less more bat tac rev nl fold fmt column sort uniq grep egrep rg sed awk gawk tr cut jq yq base64 base32 xxd od hexdump strings gzip gunzip zcat xz openssl python3 python iconv paste split dd',
)
const DUMPS = words('mysqldump mariadb-dump pg_dump pg_dumpall mongodump mongoexport')
const ENVIRONMENT = words('env printenv set compgen export declare typeset ps docker podman systemctl')
const SQL_FILES = words(
  'psql pgcli vsql usql sqlcmd cqlsh snowsql hive beeline spark-sql impala-shell trino presto',
)
const NAMED_FILES = words('mysql mariadb sqlite3 duckdb mongosh mongo clickhouse-client clickhouse')
const MAKE_OPTIONS = optionTable('C|directory= f|file= j=? k n s B')

const WITH_VERB: Interpreter = {
  ...JAVASCRIPT,
  find: (args) => {
    const [verb, ...rest] = args
    if (exactText(verb) === 'run') return JAVASCRIPT.find(rest)
    if (exactText(verb) !== 'eval')
      return /^-/.test(exactText(verb) ?? '') || args.length === 0 ? JAVASCRIPT.find(args) : { code: [], other: true }
    const code = rest.find((word) => !/^-/.test(exactText(word) ?? ''))
    return code === undefined ? { code: [], other: true } : { code: code.forms }
  },
}

function filesOf(name: string): FileUse | undefined {
  const use: Record<string, unknown> = {}
  if (DATA_ONLY.has(name) || WRAPPERS.has(name)) use.operands = 'none'
  else if (METADATA_ONLY.has(name)) use.operands = 'metadata'
  else if (name === 'mv') use.operands = 'move'
  else if (REMOVES.has(name)) use.operands = 'delete'
  else if (WRITES_ALL.has(name)) use.operands = 'write'
  else if (name === 'source' || name === '.') use.operands = 'load'
  if (/^(?:echo|printf|say)$/.test(name)) use.printsWords = true
  if (PATTERN_FIRST.has(name)) use.patternFirst = true
  if (WRITES_LAST.has(name)) use.writesLast = true
  if (name === 'dd') use.writesAfter = 'of='
  if (words('aws gcloud az gh glab doctl heroku oci ibmcloud eksctl').has(name)) use.verbs = true
  if (KEY_OPTIONS.has(name)) use.keys = KEY_OPTIONS.get(name)
  if (SHOWS.has(name)) use.showsKeys = true
  if (LOADS.has(name)) use.loads = LOADS.get(name)
  if (/^(gh|glab)$/.test(name))
    use.prose = /^(-b|-t|-n|--body|--title|--notes|--description|--message|--comment|--subject)$/
  if (name === 'zip') use.leavesOut = /^(?:-x|--exclude)$/
  if (words('ps pgrep mount umount lsblk lscpu useradd usermod groupadd set').has(name)) use.ownLetters = true
  if (MAY_ASK.has(name)) use.onlyAsks = (texts: readonly string[]) => asksWithoutShowing(name, texts)
  if (/^g?awk$/.test(name)) use.inPlace = (texts: readonly string[]) => texts.includes('inplace')
  if (/^(?:g?sed|perl|ruby)$/.test(name))
    use.inPlace = (texts: readonly string[]) => texts.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word))
  if (/^(?:node|nodejs|tsx|ts-node|bun)$/.test(name))
    use.settings = (args: readonly Word[]) =>
      args.some((word) => text(word) === 'dotenv/config') ? { file: '.env', loaded: true } : undefined
  if (/^(?:dotenv|dotenv-cli|dotenvx|godotenv)$/.test(name))
    use.settings = (args: readonly Word[], given: boolean) => {
      if (given) return undefined
      return args.some((word) => /^(?:list|get)$/.test(text(word)))
        ? { file: '.env' }
        : { file: '.env', loaded: true }
    }
  if (LOADERS.includes(name)) use.loader = true
  if (words('npx bunx pnpm yarn npm bundle uv poetry').has(name)) use.runsPackages = true
  if (QUOTES.test(name)) use.code = true
  return Object.keys(use).length === 0 ? undefined : (use as FileUse)
}

function keepsOf(name: string): Keeps | undefined {
  if (words('cp ln install ditto link').has(name)) return { kind: 'copies' }
  if (name === 'mv') return { kind: 'copies', moves: true }
  if (words('rm unlink shred trash').has(name)) return { kind: 'removes' }
  if (/^gpg2?$/.test(name)) return { kind: 'compresses', suffix: '.gpg' }
  if (/^r?age$/.test(name)) return { kind: 'compresses' }
  if (name === 'tee') return { kind: 'input' }
  return words('touch chmod chown truncate sed').has(name) ? { kind: 'nothing' } : undefined
}

const INCLUDES = /(?:\\ir?|\\\.|\.read|(?:^|;)\s*source)\s+["']?([^\s"';]+)/gi

function readsTextOf(name: string): Program['readsText'] {
  if (!SQL_FILES.has(name) && !NAMED_FILES.has(name)) return undefined
  return (args) =>
    args.flatMap((word, at) => {
      const included = [...text(word).matchAll(INCLUDES)].map(([, file = '']) => exactWord(file))
      if (included.length > 0) return included
      if (NAMED_FILES.has(name))
        return /\.(?:js|sql|cql)$/.test(text(word)) || /^--?init$/.test(text(args[at - 1])) ? [word] : []
      const attached = /^(?:--file=|-f)(.+)$/s.exec(text(word))?.[1]
      if (attached !== undefined) return [exactWord(attached)]
      return at > 0 && /^(?:-f|-i|--file)$/.test(text(args[at - 1])) ? [word] : []
    })
}

function codeFromOf(name: string): Program['codeFrom'] {
  if (SHELLS.has(name)) return shellSource
  if (CODE.test(name)) return interpreterSource
  if (name === 'source' || name === '.') return ({ args }) => scriptSource(args[0])
  if (/^g?make$/.test(name)) return ({ args }) => scriptSource(valueAfter(args, /^(?:-f|--file|--makefile)$/))
  if (name === 'cmake') return ({ args }) => scriptSource(valueAfter(args, /^-P$/))
  if (name === 'at' || name === 'batch') return () => ({ from: 'input' })
  if (name === 'crontab') return ({ args }) => (text(args[0]) === '-' ? { from: 'input' } : undefined)
  if (/^(?:parallel|xargs|eval)$/.test(name))
    return ({ opaque, inputs }) =>
      opaque === undefined ? undefined : { from: inputs === undefined ? 'text' : 'input' }
  return undefined
}

const EXTRA = words(
  'printenv ps mysqldump mariadb-dump pg_dump pg_dumpall mongodump mongoexport java mkfifo basenc uudecode pgrep umount lsblk lscpu env gnuplot',
)

const ALL = new Set<string>([
  ...MODEL_OF.keys(),
  ...LAUNCHERS.keys(),
  ...ALL_WRAPPERS.keys(),
  ...READERS.keys(),
  ...SENDERS.keys(),
  ...ROWS.keys(),
  ...CREDENTIALS.map(([name]) => name),
  ...DATA_ONLY,
  ...METADATA_ONLY,
  ...PATTERN_FIRST,
  ...WRITES_LAST,
  ...KEY_OPTIONS.keys(),
  ...LOADS.keys(),
  ...MAY_ASK,
  'gpg', 'gpg2',
  ...PASSES_ON,
  ...EXTRA,
  ...words('age rage'),
])

function legacy(name: string): Program {
  const model = MODEL_OF.get(name)
  const credentials = CREDENTIALS.filter(([program]) => program === name).map(([, verbs, what, option]) => [what, verbs, option])
  const all: Record<string, unknown> = {
    does: model === undefined ? undefined : (call: never) => model.effects(call),
    sends: SENDERS.get(name),
    lines: ROWS.get(name)?.map(({ effect, when, unless }) => [effect, when, unless]),
    wraps: ALL_WRAPPERS.get(name),
    starts: LAUNCHERS.get(name),
    interprets: /^(?:bun|deno)$/.test(name) ? WITH_VERB : undefined,
    scripts: READERS.get(name),
    isShell: SHELLS.has(name) || undefined,
    codeFrom: codeFromOf(name),
    inThisShell: /^(?:eval|source|\.)$/.test(name) || undefined,
    fetchesCode: FETCHING.has(name) || undefined,
    startedBy: name === 'java' ? startedJar : STARTS.test(name) ? startedScript : undefined,
    files: filesOf(name),
    entersFolder: /^g?make$/.test(name)
      ? (args: readonly Word[]) => valuesOf(readOptions(args, MAKE_OPTIONS), 'directory')
      : undefined,
    readsText: readsTextOf(name),
    credentials: credentials.length === 0 ? undefined : credentials,
    showsEnvironment: ENVIRONMENT.has(name)
      ? (command: never) => (printsEnvironment(command) ? 'all' : name === 'printenv' ? 'some' : 'none')
      : undefined,
    passesOn: PASSES_ON.has(name) || undefined,
    dumps: DUMPS.has(name) || undefined,
    leaves: /^p?npm$/.test(name)
      ? (args: readonly Word[], shell: never) => {
          for (const { name: script, code } of scriptsSet(args))
            putFile(shell, scriptFile(script), { kind: 'text', forms: [[{ kind: 'text', text: code }]] })
        }
      : /^(?:sed|perl)$/.test(name)
        ? changedInPlace
        : undefined,
    keeps: keepsOf(name),
    makesPipe: /^mk(?:fifo|nod)$/.test(name) || undefined,
    fetches: /^(?:aws|gsutil)$/.test(name) || undefined,
  }
  const given = Object.entries(all).filter(([, value]) => value !== undefined)
  return { names: name, ...Object.fromEntries(given) }
}

const changedInPlace: Program['leaves'] = (args, shell) => {
  if (shell.files.size === 0 || !args.some((word) => /^-[a-zA-Z]*i/.test(text(word)))) return
  for (const word of args) if (fileAt(word, shell) !== undefined) putFile(shell, word, { kind: 'unknown' })
}

export function legacyPrograms(known: ReadonlySet<string>): readonly Program[] {
  return [...ALL].filter((name) => !known.has(name)).map(legacy)
}
