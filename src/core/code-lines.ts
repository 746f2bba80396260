import type { JsonObject } from './json.ts'
import { plainKey, type ToolName } from './tool-words.ts'
import { wordSet } from './word-list.ts'

/** One word of a shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

const CODE_KEYS = wordSet(`
  code sourcecode snippet program expression cell cellsource pythoncode jscode javascript python pythonscript jsscript
  nodescript function script scripts source
`)
const RUNNING_WORDS = wordSet(`
  run runs exec execute executes eval evaluate interpreter interpret repl sandbox jupyter kernel notebook script code
  python node javascript js deno bun ruby php perl lua invoke process terminal shell
`)
/** `insert_and_execute_cell` runs the code, whatever else it does with it. */
const RUNNING_VERBS = wordSet('run exec execute eval evaluate repl')
/** A tool of this name shows or changes code, and does not run it. */
const SHOWING_WORDS = wordSet(`
  format lint search find explain describe review highlight analyze check complete document convert parse diff
  create write save store insert add update edit post
`)

/** How each language is run with code on the command line. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  ...{ python: 'python3 -c', python3: 'python3 -c', py: 'python3 -c', ipython: 'python3 -c' },
  ...{
    javascript: 'node -e',
    js: 'node -e',
    node: 'node -e',
    nodejs: 'node -e',
    deno: 'node -e',
    bun: 'node -e',
  },
  ...{ typescript: 'node -e', ts: 'node -e', jscode: 'node -e', jsscript: 'node -e', nodescript: 'node -e' },
  ...{ pythoncode: 'python3 -c', pythonscript: 'python3 -c' },
  ...{ ruby: 'ruby -e', perl: 'perl -e', php: 'php -r', lua: 'lua -e', r: 'Rscript -e', julia: 'julia -e' },
  ...{ groovy: 'groovy -e', powershell: 'pwsh -Command', pwsh: 'pwsh -Command', ps1: 'pwsh -Command' },
  ...{
    batch: 'cmd /c',
    cmd: 'cmd /c',
    bat: 'cmd /c',
    sql: 'psql -c',
    osascript: 'osascript -e',
    applescript: 'osascript -e',
  },
  // Scripts of Claude Code that start agents.
  workflow: 'node -e',
  ...{ bash: '', sh: '', shell: '', zsh: '' },
}
const LANGUAGE_KEYS = wordSet('language lang runtime kernel interpreter engine languageid')

/** Code as a command line; undefined if the key does not contain code, or the tool does not run it. */
export function codeLines(
  key: string,
  texts: readonly string[],
  input: JsonObject,
  { words }: ToolName,
): readonly string[] | undefined {
  const command = interpreterOf(key, input, words)
  if (!CODE_KEYS.has(key) && !isTextOfCode(key, texts, command, words)) return undefined
  const isScript = key === 'script' || key === 'scripts'
  if (command === undefined && isScript) return undefined
  const runs = words.some((word) => RUNNING_VERBS.has(word))
  if (!runs && words.some((word) => SHOWING_WORDS.has(word))) return undefined
  const isRun = command !== undefined || words.some((word) => RUNNING_WORDS.has(word))
  if (!isRun && !texts.some((text) => STARTS_SOMETHING.test(text))) return undefined
  // If the language is not named, it is one of the two that such tools have.
  const ways = command === undefined ? ['python3 -c', 'node -e'] : [command]
  // A notebook stores a cell as a list of its lines.
  const whole = key === 'source' && texts.length > 1 ? [texts.join('')] : texts
  return whole.flatMap((text) => [
    ...ways.map((way) => (way === '' ? text : `${way} ${quoted(text)}`)),
    ...cellCommands(text),
  ])
}

/** How the code under the key is run, if the call, the key or the tool's name says the language. */
export function interpreterOf(key: string, input: JsonObject, words: readonly string[]): string | undefined {
  const said = [languageOf(input), key, ...words].map((word) => word && lookUp(word))
  return said.find((found) => found !== undefined)
}

/**
 * A tool that runs code may have it under a key for any text: `run_python { content }`, `repl_eval { form }`. Prose is
 * code only for a tool whose name says the language.
 */
function isTextOfCode(
  key: string,
  texts: readonly string[],
  command: string | undefined,
  words: readonly string[],
): boolean {
  if (!words.some((word) => RUNNING_VERBS.has(word)) || LANGUAGE_KEYS.has(key)) return false
  if (command !== undefined && TEXT_KEYS.has(key)) return true
  return texts.some((text) => STARTS_SOMETHING.test(text) || cellCommands(text).length > 0)
}

const TEXT_KEYS = wordSet('content contents text value body data input payload form')

/** Code that starts a program or deletes files. A tool whose name says nothing may run it. */
const STARTS_SOMETHING =
  /\b(?:os\.system|os\.popen|subprocess|child_process|rmtree|rmSync|unlink|execSync|spawnSync|rm_rf)\b/

/** Commands in the cell of a notebook: `!ls`, `x = !ls`, `%sx ls`, `%%bash`, `get_ipython().system('ls')`. */
function cellCommands(text: string): readonly string[] {
  const cell = /^\s*%%(?:bash|sh|script\s+\S+|!|sx|system)[^\n]*\n([\s\S]*)$/.exec(text)?.[1]
  if (cell !== undefined) return [cell]
  const lines = text.split('\n').flatMap((line) => {
    const command = /^\s*(?:[\w, ]+=\s*)?(?:!!?|%(?:sx|system|bash)\s)(.+)$/.exec(line)?.[1]
    return command === undefined ? [] : [command]
  })
  const calls = [...text.matchAll(/get_ipython\(\)\.(?:system|getoutput)\(\s*(['"])(.+?)\1/g)]
  return [...lines, ...calls.map((call) => call[2] ?? '')]
}

function languageOf(input: JsonObject): string | undefined {
  for (const [key, value] of Object.entries(input)) {
    if (LANGUAGE_KEYS.has(plainKey(key)) && typeof value === 'string') return value.toLowerCase()
  }
  return undefined
}

function lookUp(word: string): string | undefined {
  return Object.hasOwn(INTERPRETERS, word) ? INTERPRETERS[word] : undefined
}

const SQL_KEYS = wordSet('sql sqls sqlquery sqlqueries rawsql sqltext statement statements ddl')
const QUERY_KEYS = wordSet('query queries text input q stmt')
const DATABASE_WORDS = wordSet(`
  sql postgres postgresql pg mysql mariadb sqlite sqlite3 mssql sqlserver oracle bigquery snowflake redshift duckdb
  clickhouse databricks supabase neon planetscale cockroachdb trino presto athena spanner db database dbhub
`)
const STATEMENT_KEY = /^(?:quer|q$|stmt|input|action|operation|expression|instruction)/
/** What no question to a search engine looks like. */
const STATEMENT =
  /^(?:\s|--[^\n]*\n|[;(])*(?:(?:drop|alter|create|truncate)\s+(?:table|database|schema|index|view|user|role|function)\b|truncate\s+\w+\s*;|delete\s+from\s|update\s+\S+\s+set\s|insert\s+into\s|grant\s+\w+\s+on\s|copy\s+\S+\s+(?:to|from)\s|with\s+\w+\s+as\s*\()/i

/** SQL as a command line. A `query` is SQL if the tool belongs to a database, or if it can be nothing else. */
export function sqlLines(key: string, texts: readonly string[], { words }: ToolName): readonly string[] {
  const isQuery = QUERY_KEYS.has(key)
  const isSql = SQL_KEYS.has(key) || (isQuery && words.some((word) => DATABASE_WORDS.has(word)))
  return texts
    .filter((text) => isSql || (STATEMENT_KEY.test(key) && STATEMENT.test(text)))
    .map((text) => `psql -c ${quoted(text)}`)
}
