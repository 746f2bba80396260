import { quoted } from './code-lines.ts'
import { optionTexts, textsIn } from './guessed-lines.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { plainKey, wordsOfName } from './tool-words.ts'
import { wordSet } from './word-list.ts'

/**
 * A tool whose name says what it does, as a command line that does the same: `git_push { force: true }` is
 * `git push --force`, and `delete_repository` is `gh repo delete`. Guards then treat both alike.
 */
export function namedActs(name: string, input: JsonObject): readonly string[] {
  const words = wordsOfName(name)
  const own = wordsOfName(name.slice(name.lastIndexOf('__') + 1))
  return [
    ...subcommandLines(words, own, input),
    ...setupLines(name, input),
    ...tableLines(words, own, input),
    ...serviceLines(input),
    ...requestLines(input),
    ...containerLines(input),
  ]
}

/** OpenClaw's tool for its own setup hands a text to another model, which may change its plugins as the text says. */
function setupLines(name: string, input: JsonObject): readonly string[] {
  return name === 'openclaw' && typeof input.message === 'string' ? ['openclaw config set'] : []
}

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['git', 'git'],
  ['kubectl', 'kubectl'],
  ['kubernetes', 'kubectl'],
  ['k8s', 'kubectl'],
  ['helm', 'helm'],
  ['redis', 'redis-cli'],
  ['terraform', 'terraform'],
])
/** Words that say that a tool runs a program, but not what it does. */
const FILLERS = wordSet('mcp run execute exec command commands cmd cli tool generic call raw chart release')
const WORD_KEYS = wordSet('mode action operation type subcommand')
const OPERAND_KEYS = wordSet(`
  remote branch branchname target ref refspec name path paths file files args arguments resource resourcetype kind
  revision commit key keys tag stash index
`)
const PLACE_KEYS = wordSet('repopath repo repository cwd workdir workingdirectory message description')

/** What can destroy something. Names such as `get_file` are not commands of the program. */
const SUBCOMMANDS = wordSet(`
  push reset clean checkout restore branch stash rebase switch tag reflog gc prune rm worktree update-ref
  delete drain exec replace scale patch uninstall rollback destroy apply flushall flushdb del unlink set eval
`)

/** A tool that is named after a program and its subcommand. */
function subcommandLines(
  words: readonly string[],
  own: readonly string[],
  input: JsonObject,
): readonly string[] {
  const program = words.map((word) => PROGRAMS.get(word)).findLast((found) => found !== undefined)
  if (program === undefined) return []
  const rest = own.filter((word) => !PROGRAMS.has(word) && !FILLERS.has(word))
  const isGit = program === 'git'
  // `git_branch_delete` and `git_delete_branch` are `git branch --delete`.
  const verbs = isGit && rest.length > 1 ? rest.filter((word) => !DELETES.has(word)) : rest
  const flags = verbs.length < rest.length ? ['--delete'] : []
  const entries = Object.entries(input).filter(([key]) => !PLACE_KEYS.has(plainKey(key)))
  const modes = entries.filter(([key]) => WORD_KEYS.has(plainKey(key))).flatMap(([, value]) => textsIn(value))
  const options = entries.flatMap(([key, value]) => argument(key, value, false))
  const operands = entries.flatMap(([key, value]) => argument(key, value, true))
  if (verbs[0] === undefined ? operands.length === 0 : !SUBCOMMANDS.has(verbs[0])) return []
  const line = (middle: readonly string[]) =>
    [program, ...verbs, ...middle, ...flags, ...options, ...operands].join(' ')
  return modes.length === 0 ? [line([])] : [line(modes.map(quoted)), line(modes.map((m) => quoted(`--${m}`)))]
}

function argument(key: string, value: Json, isOperand: boolean): readonly string[] {
  const plain = plainKey(key)
  if (WORD_KEYS.has(plain)) return []
  if (OPERAND_KEYS.has(plain)) return isOperand ? textsIn(value).map(quoted) : []
  return isOperand ? [] : optionTexts(key, value)
}

const DELETES = wordSet('delete remove destroy drop purge')
const SHOWS = wordSet('get read show reveal access fetch')
const CLOUDS = wordSet(
  'neon supabase vercel netlify gcp gcloud railway render fly heroku cloud azure planetscale',
)

interface Act {
  readonly nouns: ReadonlySet<string>
  readonly verbs: ReadonlySet<string>
  /** Words of which the tool's complete name must contain one. */
  readonly only?: ReadonlySet<string>
  line(operand: string): string
}

const ACTS: readonly Act[] = [
  {
    nouns: wordSet('repo repository'),
    verbs: DELETES,
    line: (name) => `gh repo delete ${quoted(name)} --yes`,
  },
  {
    nouns: wordSet('database databases db schema keyspace'),
    verbs: DELETES,
    line: () => `psql -c 'DROP DATABASE named_by_the_tool'`,
  },
  {
    nouns: wordSet('table tables collection collections'),
    verbs: wordSet('drop truncate'),
    line: () => `psql -c 'DROP TABLE named_by_the_tool'`,
  },
  {
    nouns: wordSet('bucket buckets'),
    verbs: DELETES,
    line: (name) => `aws s3 rb ${quoted(`s3://${name}`)} --force`,
  },
  {
    nouns: wordSet('instance instances'),
    verbs: wordSet('terminate delete destroy'),
    line: (name) => `aws ec2 terminate-instances --instance-ids ${quoted(name)}`,
  },
  { nouns: wordSet('namespace'), verbs: DELETES, line: (name) => `kubectl delete namespace ${quoted(name)}` },
  { nouns: wordSet('volume volumes'), verbs: DELETES, line: (name) => `docker volume rm ${quoted(name)}` },
  {
    nouns: wordSet('project projects'),
    verbs: DELETES,
    only: CLOUDS,
    line: (name) => `gcloud projects delete ${quoted(name)}`,
  },
  {
    nouns: wordSet('secret password'),
    verbs: SHOWS,
    line: (name) => `vault kv get ${quoted(name)}`,
  },
]

/** The tool is only about such objects, and does not change them. */
const ABOUT = wordSet('list search scanning alert alerts docs documentation policy metadata versions')
const FLUSHES = wordSet('flushall flushdb')
const EMPTY_FILTER = /^\s*(?:\{\s*\})?\s*$/

function tableLines(words: readonly string[], own: readonly string[], input: JsonObject): readonly string[] {
  const operand = Object.values(input).find((value) => typeof value === 'string')
  const name = typeof operand === 'string' ? operand : 'named-by-the-tool'
  const acts = ACTS.filter(
    (act) =>
      own.some((word) => act.nouns.has(word)) &&
      own.some((word) => act.verbs.has(word)) &&
      !own.some((word) => ABOUT.has(word)) &&
      (act.only === undefined || words.some((word) => act.only?.has(word))),
  ).map((act) => act.line(name))
  const flush = own.find((word) => FLUSHES.has(word))
  const isForced = input.force === true || input.force === 'true'
  return [
    ...acts,
    ...(flush === undefined ? [] : [`redis-cli ${flush}`]),
    ...(own.includes('ref') && own.includes('update') && isForced ? ['git push --force'] : []),
    ...(deletesAll(own, input) ? ["mongosh --eval 'db.named_by_the_tool.deleteMany({})'"] : []),
  ]
}

/** `delete_many` with a filter that every document passes. */
function deletesAll(own: readonly string[], input: JsonObject): boolean {
  if (!own.includes('delete') || !own.includes('many')) return false
  const filter = input.filter ?? input.query ?? {}
  return EMPTY_FILTER.test(typeof filter === 'string' ? filter : JSON.stringify(filter))
}

/** A call of a cloud by service and operation: `{ service_name: 's3', operation_name: 'delete_bucket' }`. */
function serviceLines(input: JsonObject): readonly string[] {
  const service = textOf(input, ['service', 'servicename'])
  const operation = textOf(input, ['operation', 'operationname', 'action'])
  if (service === undefined || operation === undefined) return []
  const kebab = operation
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
  const name = service.toLowerCase()
  return [`aws ${quoted(name === 's3' ? 's3api' : name)} ${quoted(kebab)}`]
}

/** A container that is started with rights or folders of the machine: `{ image, privileged, volumes }`. */
function containerLines(input: JsonObject): readonly string[] {
  const image = textOf(input, ['image', 'imagename'])
  if (image === undefined) return []
  const options = Object.entries(input).flatMap(([key, value]): readonly string[] => {
    const plain = plainKey(key)
    if (/^(?:volumes?|binds?|mounts?)$/.test(plain)) {
      const pairs = isObject(value)
        ? Object.entries(value).map(([from, to]) => `${from}:${bindOf(to)}`)
        : textsIn(value)
      return pairs.map((pair) => `-v ${quoted(pair)}`)
    }
    return /^(?:privileged|pidmode|pid|networkmode|network|ipc|userns|capadd|device|devices)$/.test(plain)
      ? optionTexts(key.replace(/[_-]?mode$/i, '').replace(/^devices$/i, 'device'), value)
      : []
  })
  return options.length === 0 ? [] : [`docker run ${options.join(' ')} ${quoted(image)}`]
}

function bindOf(value: Json): string {
  return isObject(value) ? String(value.bind ?? value.target ?? '/x') : String(value)
}

/** A request that does not only read. */
function requestLines(input: JsonObject): readonly string[] {
  const method = textOf(input, ['method', 'httpmethod'])?.toUpperCase()
  const url = textOf(input, ['url', 'uri', 'endpoint'])
  if (url === undefined || method === undefined || !/^(?:DELETE|PUT|POST|PATCH)$/.test(method)) return []
  return [`curl -X ${method} ${quoted(url)}`]
}

function textOf(input: JsonObject, keys: readonly string[]): string | undefined {
  for (const [key, value] of Object.entries(input)) {
    if (keys.includes(plainKey(key)) && typeof value === 'string' && value !== '') return value
  }
  return undefined
}
