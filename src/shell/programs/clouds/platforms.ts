import { type OptionText, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { isGiven } from '../../arguments/verbs.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { codeRun, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import { exactText, exactWord, isWhollyUnknown, type Word } from '../../words/words.ts'
import { only, PLAIN } from '../aspects/wrapper.ts'
import { RESET } from '../databases/acts.ts'
import { sqlEffects } from '../databases/statements.ts'
import { copying, posting } from '../network/senders.ts'
import type { Program, ProgramTable } from '../program.ts'
import { ACCESS, DELETE_CLOUD, DELETE_OBJECT, unsure } from './acts.ts'
import { isVerb } from './verbs.ts'

/** What makes one of them differ from the others. */
interface Platform {
  readonly options?: OptionText
  /** Verbs that only concern this machine's own settings. */
  readonly local?: RegExp
  /** Verbs that reset a database. */
  readonly resets?: RegExp
  /** Operands that are SQL. */
  readonly queries?: (operands: readonly Word[]) => readonly Word[]
  /** The first word is always a thing, never a verb. */
  readonly thingFirst?: true
  /** Without this option nothing is done. */
  readonly needs?: string
}

/**
 * Cloud programs that name a thing and then what to do with it: `gcloud compute instances delete web`,
 * `heroku apps:destroy`, `fly volumes rm vol_1`. The first word that is a verb of any kind decides, so that a thing
 * called `delete` is no deletion.
 */
function platform(how: Platform = {}): { readonly does: NonNullable<Program['does']> } {
  return { does: ({ command }) => asked(command, how) }
}

function asked(command: SimpleCommand, how: Platform): readonly ActEffect[] {
  const read = readOptions(command.args, how.options ?? PLATFORM)
  if (isInert(read) || (how.needs !== undefined && isGiven(read, how.needs) === 'no')) return []
  const words = read.operands.flatMap(parts).slice(0, DEPTH_MAX)
  const path = words.map((word) => exactText(word) ?? '?').join(' ')
  if (how.local?.test(path) === true || HARMLESS_PATH.test(path)) return []
  const queries = [...valuesOf(read, 'command', 'sql'), ...(how.queries?.(read.operands) ?? [])]
  const sql = queries.flatMap((word) => sqlEffects(word.forms))
  if (sql.length > 0) return sql
  if (ACCESS_PATH.test(path)) return [ACCESS]
  if (how.resets?.test(path) === true) return [RESET]
  return EMPTYING_PATH.test(path) ? [DELETE_CLOUD] : spoken(words, read, how)
}

function spoken(words: readonly Word[], read: ReadOptions, how: Platform): readonly ActEffect[] {
  for (const [index, word] of words.entries()) {
    const opens = index === 0 && how.thingFirst !== true && isVerb(word, HARMLESS_START) === 'yes'
    if (isVerb(word, ACCESS_VERBS) === 'yes' && !opens) return [ACCESS]
    if (isVerb(word, DELETES) === 'yes') return [isOneObject(words, read) ? DELETE_OBJECT : DELETE_CLOUD]
    if (syncsAway(word, read)) return [DELETE_OBJECT]
    if (isVerb(word, HARMLESS) === 'yes' || opens) return makesPublic(read)
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
const PLATFORM = [LONG, 'a= o= r= g= n= l= c|command= e= t= S= A= s= p= f y|yes q v i h|help'].join(' ')
/** Stores and their like know few letters with a value. */
const STORAGE = [LONG, 'o= u= h= P= m q f r|recursive R|recursive d t n|dry-run y v a'].join(' ')

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
const EMPTYING_PATH =
  /^(pg|redis) reset\b|^down\b|^(secrets|auth) disable\b|^operator seal\b|^hosting disable\b/
const HARMLESS_PATH = /\b(tags?|labels?|cache) (delete|remove|rm|purge)\b/
const FLY = /^(auth|wireguard|ssh)\b/
const store = { options: STORAGE }

/** Cloud accounts and hosting platforms, through the programs that manage them. */
export const PLATFORMS: ProgramTable = {
  gcloud: {
    ...platform({
      options: STORAGE,
      local: /^(alpha |beta )?(config|components|auth|topic|info)\b/,
      thingFirst: true,
    }),
    sends: copying(/^storage (cp|mv|rsync)\b/, /^gs:\/\//),
    starts: remoteCode,
    files: { verbs: true },
    credentials: [
      ['a Google access token', /\bauth (application-default )?print-(access|identity|refresh)-token\b/],
      ['a secret of Google Cloud', /\bsecrets versions access\b/],
    ],
  },
  gsutil: {
    ...platform(store),
    sends: copying(/^(cp|mv|rsync)\b/, /^gs:\/\//),
    fetches: true,
  },
  bq: {
    ...platform({
      options: STORAGE,
      queries: (operands) => (exactText(operands[0]) === 'query' ? operands.slice(1) : []),
    }),
  },
  az: {
    ...platform({ local: /^(config|cache|extension|account clear|cloud|logout)\b/, thingFirst: true }),
    sends: posting('azure', /^storage blob upload(-batch)?/, /^(-f|--file|-s|--source)$/),
    files: { verbs: true },
    credentials: [
      ['an Azure access token', /\baccount get-access-token\b/],
      ['a secret of Azure', /\bkeyvault secret (show|download)\b/],
      [
        'an Azure key',
        /\b(acr credential show|storage account keys list|cosmosdb keys list|webapp deployment list-publishing-\w+)\b/,
      ],
    ],
  },
  azcopy: {
    sends: copying(/^(copy|cp|sync)\b/, /^https:\/\//),
  },
  doctl: {
    ...platform({ local: /^auth\b/ }),
    files: { verbs: true },
    credentials: [
      [
        'a DigitalOcean credential',
        /\bauth token\b|\b(kubernetes|databases) \S* ?(kubeconfig show|connection)\b/,
      ],
    ],
  },
  fly: {
    ...platform({ local: FLY }),
    wraps: {
      ...PLAIN,
      verbs: {
        ssh: {
          ...PLAIN,
          verbs: {
            console: {
              options: 'C|command= a|app= u|user= s|select r|region= machine= g=',
              code: 'command',
              remote: true,
            },
          },
        },
      },
    },
    credentials: [['the Fly token', /\b(auth token|tokens create)\b/]],
  },
  flyctl: { ...platform({ local: FLY }), credentials: [['the Fly token', /\b(auth token|tokens create)\b/]] },
  heroku: {
    ...platform({ local: /^(plugins|auth|accounts|login|run|local)\b/ }),
    wraps: {
      ...PLAIN,
      verbs: {
        run: {
          options: 'a|app= r|remote= s|size= type= e|env= x|exit-code no-tty no-notify',
          joins: true,
          remote: true,
        },
      },
    },
    files: { verbs: true, loads: /^-[ef]$/, loader: true },
    credentials: [
      [
        'the settings of the application',
        /\bauth:token\b|(^|\s)config(\s|$)|\bconfig:get\s(\S*\s)*\S*(KEY|TOKEN|SECRET|PASS|PWD|UR[LI]|DSN|CRED|AUTH|CERT|SALT|SESSION|[$])/i,
      ],
    ],
  },
  vercel: { ...platform(), credentials: [['the settings of the application', /\benv pull\b/]] },
  netlify: { ...platform(), credentials: [['the settings of the application', /^env:(list|get)\b/]] },
  railway: {
    ...platform({ local: /^(run|shell|unlink)\b/ }),
    wraps: only('run', { options: 's|service= e|environment= p|project=' }),
    credentials: [['the settings of the application', /^(variables?|vars)\b/]],
  },
  supabase: { ...platform({ local: /^(unlink|stop|start|migration)\b/, resets: /^db reset\b/ }) },
  atlas: { ...platform({ resets: /^schema clean\b/ }) },
  auth0: { ...platform({ local: /^(login|logout|tenants use)\b/ }) },
  turso: {
    ...platform({
      queries: (operands) => {
        const isShell = exactText(operands[0]) === 'db' && exactText(operands[1]) === 'shell'
        return isShell ? operands.slice(3) : []
      },
    }),
  },
  kops: { ...platform({ needs: 'yes' }) },
  oci: {
    ...platform(),
    files: { verbs: true },
    credentials: [['an Oracle Cloud token', /\biam (auth-token|customer-secret-key) create\b/]],
  },
  'ibmcloud eksctl': { ...platform(), files: { verbs: true } },
  vault: {
    ...platform(),
    credentials: [['a secret of Vault', /^(kv get|read|print token|token (create|lookup)|unwrap)\b/]],
  },
  s3cmd: {
    ...platform(store),
    sends: copying(/^(put|sync)\b/, /^s3:\/\//),
  },
  mc: {
    ...platform(store),
    sends: copying(/^(cp|mv|mirror)\b/, /^\w+\//),
  },
  's5cmd b2 firebase firebase-tools': { ...platform(store) },
  'netlify-cli wrangler linode-cli hcloud vultr-cli scw openstack aliyun eb cf pscale neonctl stripe dokku render koyeb civo juju':
    { ...platform() },
}

/** `gcloud compute ssh host --command=code` */
function remoteCode({ name, args }: LaunchCall) {
  if (!args.some((word) => exactText(word) === 'ssh')) return undefined
  const given = valuesOf(readOptions(args, 'command= zone= project= ssh-flag='), 'command')
  const there: Partial<StartedCommand> = {
    shell: 'child',
    remote: `${name} compute ssh`,
    moved: { cwd: undefined },
  }
  return given.length === 0
    ? undefined
    : { own: args.length, runs: given.map((word) => codeRun(`${name} compute ssh`, word.forms, there)) }
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
