import { wordSet } from '../../../core/word-list.ts'
import { optionTable, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { isGiven } from '../../arguments/verbs.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { exactText, exactWord, isWhollyUnknown, type Word } from '../../words/words.ts'
import { RESET } from '../migrations/acts.ts'
import { sqlEffects } from '../sql/statements.ts'
import { ACCESS, DELETE_CLOUD, DELETE_OBJECT, isVerb, unsure } from './acts.ts'

/**
 * Cloud programs that name a thing and then what to do with it: `gcloud compute instances delete web`,
 * `heroku apps:destroy`, `fly volumes rm vol_1`. The first word that is a verb of any kind decides, so that a thing
 * called `delete` is no deletion.
 */
export function platformEffects(name: string, command: SimpleCommand): readonly ActEffect[] {
  const read = readOptions(command.args, STORES.has(name) ? STORAGE : PLATFORM)
  if (isInert(read) || (name === 'kops' && isGiven(read, 'yes') === 'no')) return []
  const words = read.operands.flatMap(parts).slice(0, DEPTH_MAX)
  const path = words.map((word) => exactText(word) ?? '?').join(' ')
  if (LOCAL.get(name)?.test(path) === true || HARMLESS_PATH.test(path)) return []
  const sql = [...valuesOf(read, 'command', 'sql'), ...queryOperands(name, read.operands)].flatMap((word) =>
    sqlEffects(word.forms),
  )
  if (sql.length > 0) return sql
  if (ACCESS_PATH.test(path)) return [ACCESS]
  if (RESETTING_PATH.test(`${name} ${path}`)) return [RESET]
  return EMPTYING_PATH.test(path) ? [DELETE_CLOUD] : verbEffects(name, words, read)
}

function verbEffects(name: string, words: readonly Word[], read: ReadOptions): readonly ActEffect[] {
  for (const [index, word] of words.entries()) {
    if (isVerb(word, ACCESS_VERBS) === 'yes' && !isHarmlessStart(name, word, index)) return [ACCESS]
    if (isVerb(word, DELETES) === 'yes') return [isOneObject(words, read) ? DELETE_OBJECT : DELETE_CLOUD]
    if (syncsAway(word, read)) return [DELETE_OBJECT]
    if (isVerb(word, HARMLESS) === 'yes' || isHarmlessStart(name, word, index)) return makesPublic(read)
    if (word.forms.some(isWhollyUnknown)) return [unsure(DELETE_CLOUD)]
  }
  return []
}

const DEPTH_MAX = 7

/** What all of them have; long names never mean two things. */
const LONG = `
  project= region= zone= account= format= filter= app= output= resource-group= name= subscription= location=
  config= command= context= env= environment= token= scope= access-token= team= org= role= member= sql=
  confirm= impersonate-service-account= verbosity= configuration= query= ids= site= server= account-name=
  container-name= vault-name= public-access= profile= cluster= instance= project-ref= namespace-id= binding=
  address= namespace= compartment-id= local-config= registry= keyfile= quiet force yes recursive dry-run=?
  dryrun validate-only help version no-wait delete-unmatched-destination-objects debug use_legacy_sql=? json
  async linked remove-all
`
const PLATFORM = optionTable(LONG, 'a= o= r= g= n= l= c|command= e= t= S= A= s= p= f y|yes q v i h|help')
/** Stores and their like know few letters with a value. */
const STORAGE = optionTable(LONG, 'o= u= h= P= m q f r|recursive R|recursive d t n|dry-run y v a')
const STORES = wordSet('gcloud gsutil bq s3cmd s5cmd mc b2 firebase firebase-tools')

const DELETES =
  /^(delete|destroy|terminate|purge|remove|rm|rb|del|erase|wipe|decommission|deprovision|undeploy|unset|delete-.+|destroy-.+|purge-.+|.+-(delete|destroy|rm|remove)|(Delete|Terminate|Release|Remove|Destroy)[A-Z]\w*)$/
const HARMLESS =
  /^(list|ls|show|describe|deploy|submit|ssh|scp|tail|invoke|call|start|restart|promote|rollback|view|info|get|create|update|cat|cp|stat|read|upload|download|search|help|(get|list|show|describe|create|update|add|export)-.+|(Describe|List|Get|Create|Query)[A-Z]\w*)$/
/** Only at the start: elsewhere these are names of things. */
const HARMLESS_START =
  /^(dev|logs?|deploy|up|open|start|build|init|login|logout|link|unlink|status|whoami|version|ssh|console|proxy|exec|serve|test|tail|pull|push|publish|run|env:pull|emulators)$/
const ACCESS_VERBS =
  /^(add-iam-policy-binding|remove-iam-policy-binding|set-iam-policy|set-policy|set-permission|create-for-rbac|add-member|ch)$/
const ACCESS_PATH =
  /\brole assignment (create|delete)\b|\bservice-accounts keys create\b|\bcredential reset\b|^access add\b/
const RESETTING_PATH = /^(supabase db reset|atlas schema clean)\b/
const EMPTYING_PATH =
  /^(pg|redis) reset\b|^down\b|^(secrets|auth) disable\b|^operator seal\b|^hosting disable\b/
/** Only this machine's own settings. */
const LOCAL: ReadonlyMap<string, RegExp> = new Map([
  ['gcloud', /^(alpha |beta )?(config|components|auth|topic|info)\b/],
  ['az', /^(config|cache|extension|account clear|cloud|logout)\b/],
  ['doctl', /^auth\b/],
  ['heroku', /^(plugins|auth|accounts|login|run|local)\b/],
  ['fly', /^(auth|wireguard|ssh)\b/],
  ['flyctl', /^(auth|wireguard|ssh)\b/],
  ['railway', /^(run|shell|unlink)\b/],
  ['supabase', /^(unlink|stop|start|migration)\b/],
  ['auth0', /^(login|logout|tenants use)\b/],
])
const HARMLESS_PATH = /\b(tags?|labels?|cache) (delete|remove|rm|purge)\b/

function isHarmlessStart(name: string, word: Word, index: number): boolean {
  return index === 0 && name !== 'gcloud' && name !== 'az' && isVerb(word, HARMLESS_START) === 'yes'
}

/** `pg:reset` are two words. */
function parts(word: Word): readonly Word[] {
  const text = exactText(word)
  if (text === undefined || !/^[a-z][\w-]*(:[a-z][\w-]*)+$/.test(text)) return [word]
  return text.split(':').map(exactWord)
}

function isInert(read: ReadOptions): boolean {
  const given = (name: string) => isGiven({ ...read, doubtful: [] }, name) === 'yes'
  return ['help', 'version', 'dry-run', 'dryrun', 'validate-only'].some(given)
}

/** One object in a store, or the files below a name: not the store. */
function isOneObject(words: readonly Word[], read: ReadOptions): boolean {
  const texts = words.map((word) => exactText(word) ?? '')
  const stored = texts.some((text) =>
    /^(objects?|blobs?|storage|(gs|s3|r2):\/\/[^/*]+\/.*[^/*].*)$/.test(text),
  )
  const whole = isGiven({ ...read, doubtful: [] }, 'recursive') === 'yes'
  return (
    stored &&
    !whole &&
    !texts.some((text) => /^(delete-batch|bucket|buckets|account|container|containers)$/.test(text))
  )
}

function syncsAway(word: Word, read: ReadOptions): boolean {
  if (isVerb(word, /^(rsync|sync)$/) !== 'yes') return false
  return ['d', 'delete-unmatched-destination-objects', 'delete', 'delete-removed'].some((name) => {
    return read.options.some((option) => option.name === name)
  })
}

function makesPublic(read: ReadOptions): readonly ActEffect[] {
  const values = valuesOf(read, 'member', 'public-access').map((word) => exactText(word) ?? '')
  return values.some((text) => /^(allUsers|allAuthenticatedUsers|blob|container)$/.test(text)) ? [ACCESS] : []
}

/** The SQL that `bq query` and `turso db shell` are given as a word. */
function queryOperands(name: string, operands: readonly Word[]): readonly Word[] {
  const [first, second] = operands.map((word) => exactText(word) ?? '')
  if (name === 'bq' && first === 'query') return operands.slice(1)
  return name === 'turso' && first === 'db' && second === 'shell' ? operands.slice(3) : []
}
