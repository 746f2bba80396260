import { type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { isGiven, valueIs, wordIs } from '../../arguments/verbs.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import { exactText, textPiece, type Word } from '../../words/words.ts'
import { sqlEffects } from '../databases/statements.ts'
import { copying } from '../network/senders.ts'
import { program } from '../program.ts'
import { ACCESS, DELETE_CLOUD, DELETE_OBJECT, unsure } from './acts.ts'
import { isVerb } from './verbs.ts'

export const aws = program('aws', {
  does: ({ command }) => asked(command),
  sends: copying(/\bs3 (cp|mv|sync)\b/, /^s3:\/\//),
  starts: sendCommand,
  files: { verbs: true },
  credentials: [
    ['the AWS credentials', /\bconfigure export-credentials\b/],
    ['the AWS credentials', /\bconfigure get \S*(secret|token|access_key)/],
    ['AWS credentials', /\bsts (get-session-token|assume-role\S*|get-federation-token)\b/],
    ['a secret of AWS', /\bsecretsmanager (batch-)?get-secret-value\b/],
    ['a secret parameter of AWS', /\bssm get-parameters?\S*/, / --with-decryption /],
    [
      'a registry password',
      /\b(ecr|ecr-public|codeartifact) get-(login-password|login|authorization-token)\b/,
    ],
  ],
  fetches: true,
})

/** `aws [options] service verb …`: the verbs of all services follow one grammar. */
function asked(command: SimpleCommand): readonly ActEffect[] {
  const read = readOptions(command.args, OPTIONS)
  const [service, verb] = read.operands
  if (isInert(read, command.args)) return []
  if (wordIs(service, ['s3']) === 'yes') return s3Effects(verb, read)
  if (wordIs(service, ['configure', 'sso', 'help', 'wait', 'logs']) === 'yes' && !isDelete(verb)) return []
  // A call of two words that are not known may be anything; one whose verb is known may not.
  const spoken = verb ?? (service?.splits === true && exactText(service) === undefined ? service : undefined)
  if (isTagOrMessage(verb)) return []
  if (isVerb(verb, /^change-resource-record-sets$/) === 'yes') return recordChanges(read)
  const deletes = isVerb(spoken, DELETES)
  if (deletes === 'yes') return [DELETE_CLOUD]
  if (opensUp(spoken, read)) return [ACCESS]
  const sql = valuesOf(read, 'sql', 'sqls', 'query-string').flatMap((word) => sqlEffects(word.forms))
  return sql.length > 0 || deletes === 'no' ? sql : [unsure(DELETE_CLOUD)]
}

const OPTIONS = `
  region= profile= output= query= endpoint-url= ca-bundle= cli-read-timeout= cli-connect-timeout= color=
  cli-binary-format= cli-input-json= cli-input-yaml= debug no-verify-ssl no-paginate no-cli-pager
  no-sign-request version help recursive dryrun dry-run force delete acl= grants= cidr= ip-permissions=
  principal= generate-cli-skeleton=? exclude= include= sql= sqls= query-string= bucket= key=
  deletion-protection storage-class= quiet public-access-block-configuration= change-batch= hosted-zone-id=
`

const DELETES =
  /^(delete|terminate|deregister|batch-delete|purge|destroy|release|reset|cancel-key|schedule-key-deletion|remove-(?!tags|permission)|close-account|leave-organization|empty|stop-logging|abort|stop-(db|instances|replication))(-|$)/
const ACCESS_VERBS =
  /^(create-(access-key|login-profile|user|service-specific-credential|policy-version)|attach-(user|role|group)-policy|put-(user|role|group|bucket|resource|key|repository)-policy|put-(bucket|object)-acl|put-public-access-block|update-assume-role-policy|update-login-profile|add-user-to-group|add-permission|modify-(snapshot|image|db-snapshot|db-cluster-snapshot)-attribute|put-registry-policy|set-repository-policy|stop-logging|disable-key)$/

function isInert(read: ReadOptions, args: readonly Word[]): boolean {
  const given = (name: string) => isGiven({ ...read, doubtful: [] }, name) === 'yes'
  if (['help', 'version', 'dryrun', 'dry-run', 'generate-cli-skeleton'].some(given)) return true
  // A value may be called so too.
  return exactText(args.at(-1)) === 'help' && !/^--/.test(exactText(args.at(-2)) ?? '')
}

function isDelete(verb: Word | undefined): boolean {
  return isVerb(verb, DELETES) === 'yes'
}

/** Labels are made again in a moment; a message is deleted by whoever has worked on it. */
function isTagOrMessage(verb: Word | undefined): boolean {
  return isVerb(verb, /^(delete-(tags|message|message-batch)|remove-tags.*|untag-.*)$/) === 'yes'
}

function opensUp(verb: Word | undefined, read: ReadOptions): boolean {
  if (isVerb(verb, ACCESS_VERBS) === 'yes') return true
  if (isVerb(verb, /^authorize-security-group-ingress$/) === 'yes') {
    return valueIs(read, /0\.0\.0\.0\/0|::\/0/, 'cidr', 'ip-permissions') === 'yes'
  }
  return read.options.some(({ name }) => name === 'no-deletion-protection') || isPublic(read)
}

function isPublic(read: ReadOptions): boolean {
  return valueIs(read, /^(public-read|public-read-write|authenticated-read)$/, 'acl') === 'yes'
}

/** Names of a domain: adding one is recoverable, taking one away is felt at once. What stands in a file is not known. */
function recordChanges(read: ReadOptions): readonly ActEffect[] {
  return valuesOf(read, 'change-batch', 'cli-input-json').flatMap((word) => {
    const text = exactText(word)
    if (text === undefined || text.startsWith('file:')) return [unsure(DELETE_CLOUD)]
    return /"?Action"?\s*[:=]\s*"?DELETE\b/i.test(text) ? [DELETE_CLOUD] : []
  })
}

function s3Effects(verb: Word | undefined, read: ReadOptions): readonly ActEffect[] {
  const removes = wordIs(verb, ['rm', 'rb'])
  const recursive = isGiven({ ...read, doubtful: [] }, 'recursive', 'force') === 'yes'
  if (removes === 'yes') return [recursive || wordIs(verb, ['rb']) === 'yes' ? DELETE_CLOUD : DELETE_OBJECT]
  if (removes === 'maybe') return [unsure(DELETE_CLOUD)]
  if (wordIs(verb, ['sync']) === 'yes' && isGiven(read, 'delete') === 'yes') return [DELETE_OBJECT]
  if (wordIs(verb, ['mv']) === 'yes' && recursive && fromStore(read)) return [DELETE_OBJECT]
  return isPublic(read) ? [ACCESS] : []
}

/** What is moved is gone where it was. */
function fromStore(read: ReadOptions): boolean {
  return exactText(read.operands[2])?.startsWith('s3://') === true
}

/** `aws ssm send-command --parameters 'commands=["code"]'` */
function sendCommand({ name, args }: LaunchCall): Launch | undefined {
  const words = args.map((word) => exactText(word) ?? '')
  if (!words.includes('send-command')) return undefined
  const given = valuesOf(readOptions(args, SSM), 'parameters').map((word) => exactText(word) ?? '')
  const codes = given.flatMap((text) => {
    const quoted = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, code = '']) =>
      code.replace(/\\(.)/g, '$1'),
    )
    return quoted.length > 0 ? quoted : [text.replace(/^commands=\[?|\]$/g, '')]
  })
  const there: Partial<StartedCommand> = {
    shell: 'child',
    remote: `${name} ssm`,
    moved: { cwd: undefined },
    setting: true,
  }
  const runs = codes.slice(0, 16).map((code) => codeRun(`${name} ssm`, [[textPiece(code)]], there))
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

const SSM = 'parameters= region= profile= document-name= instance-ids= targets='
