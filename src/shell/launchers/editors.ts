import { eachWord } from '../../core/word-list.ts'
import {
  codeRun,
  type Launch,
  type LaunchCall,
  type Launcher,
  type StartedCommand,
} from '../vocabulary/launch.ts'
import { exactForm, exactText, textPiece } from '../words/words.ts'

/** Editors, pagers, debuggers and database clients: their own language has a word for "run this". */
export const EDITOR_LAUNCHERS: Readonly<Record<string, Launcher>> = Object.fromEntries(
  eachWord('psql mysql mariadb sqlite3 duckdb', clientLaunch),
)

function launch(own: number, runs: readonly StartedCommand[]): Launch | undefined {
  return runs.length === 0 ? undefined : { own, runs }
}

function shellRun(via: string, code: string): StartedCommand {
  return codeRun(via, [[textPiece(code)]], { shell: 'child' })
}

const CLIENT = /(?:^|[\n;])\s*(?:\\!|\.(?:shell|system)|system)[ \t]+([^\n]+)/g

/** `psql -c '\! code'`, `sqlite3 db '.shell code'`, and the same on standard input. */
function clientLaunch({ name, args, input }: LaunchCall): Launch | undefined {
  const texts = [
    ...args.map((word) => exactText(word) ?? ''),
    ...(input.forms?.map((form) => exactForm(form) ?? '') ?? []),
  ]
  const runs = lineRuns(name, args.length, texts, CLIENT)?.runs ?? []
  const files = [
    ...(name === 'sqlite3' || name === 'duckdb' ? texts.flatMap(sqliteFiles) : []),
    ...texts.flatMap(loadedFiles),
  ]
  return launch(args.length, [...runs, ...files.slice(0, 16).map((code) => shellRun(name, code))])
}

/** `select writefile('x', …)`, `.output x`: as the shell would say it. */
function sqliteFiles(text: string): readonly string[] {
  const calls = [...text.matchAll(/\b(readfile|writefile)\s*\(\s*'([^']*)'/gi)].map(
    ([, does = '', file = '']) => `${/^r/i.test(does) ? 'cat' : 'tee'} ${escaped(file)}`,
  )
  const dots = [...text.matchAll(/^\s*\.(?:output|once|log|backup|save)\s+(?:-\w+\s+)*([^\s|]+)\s*$/gm)].map(
    ([, file = '']) => `tee ${escaped(file)}`,
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
    .map((file) => `cat ${escaped(file)}`)
}

function escaped(file: string): string {
  return file.replace(/^["']|["']$/g, '').replace(/[^\w./~$-]/g, '\\$&')
}

function lineRuns(name: string, own: number, texts: readonly string[], pattern: RegExp): Launch | undefined {
  const codes = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, code = '']) => code))
  return launch(
    own,
    codes.slice(0, 16).map((code) => shellRun(`${name} !`, code)),
  )
}
