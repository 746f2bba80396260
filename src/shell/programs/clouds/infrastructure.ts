import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  type VerbCall,
  type VerbProgram,
  type VerbRule,
  valueIs,
  verbEffects,
} from '../../arguments/verbs.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import { exactText } from '../../words/words.ts'
import { operandFiles } from '../aspects/script-files.ts'
import { tasksIn } from '../languages/build.ts'
import { each, type Program, type ProgramTable } from '../program.ts'
import { APPLY, DESTROY_INFRASTRUCTURE, PLAYBOOK, REMOTE_COMMAND, STATE } from './infrastructure-acts.ts'

const TERRAFORM_OPTIONS = `
  chdir= var= var-file= target= replace= state= state-out= backup= lock-timeout= parallelism= out=
  backend-config= lock= auto-approve=? destroy=? refresh=? force=? dry-run=? help version json no-color input=
  refresh-only h|help all compact-warnings working-dir= config= iam-role= download-dir= log-level=
  non-interactive source=
`

/** Terraform and those made from it. */
const TERRAFORM: VerbProgram = {
  options: TERRAFORM_OPTIONS,
  singleDash: true,
  inert: 'help version',
  dryRun: 'dry-run',
  harmless: 'plan init validate fmt show output console graph providers import get',
  rules: [
    ['destroy|destroy-all', DESTROY_INFRASTRUCTURE],
    ['apply|apply-all', DESTROY_INFRASTRUCTURE, { given: 'destroy' }],
    ['run-all|run destroy', DESTROY_INFRASTRUCTURE],
    ['stack run destroy', DESTROY_INFRASTRUCTURE],
    ['apply|apply-all', APPLY, { given: 'auto-approve' }],
    ['apply|apply-all', APPLY, { when: isAnswered }],
    ['run-all|run apply', APPLY],
    ['refresh', APPLY, { surely: 'auto-approve' }],
    ['state rm|push|replace-provider', STATE],
    ['workspace delete', STATE],
    ['force-unlock|taint', STATE],
  ],
}

/** `yes | terraform apply`: the question is answered before anybody saw it. */
function isAnswered({ command }: VerbCall): Certainty {
  const before = command.inputs?.at(-1)
  if (before === undefined) return 'no'
  return certainly(
    before.name === 'yes' || (/^(echo|printf)$/.test(before.name ?? '') && /\byes\b/.test(before.fragment)),
  )
}

/** `TF_CLI_ARGS=-auto-approve`: options given where nobody looks. */
function fromEnvironment(command: SimpleCommand): readonly ActEffect[] {
  const given = command.assignments.filter(({ name }) => name.startsWith('TF_CLI_ARGS'))
  const text = given.map(({ value }) => exactText(value) ?? '').join(' ')
  const applies = command.args.some((word) => exactText(word) === 'apply')
  if (!applies) return []
  if (/-destroy\b/.test(text)) return [DESTROY_INFRASTRUCTURE]
  return /-auto-approve\b(?!=false)/.test(text) ? [APPLY] : []
}

const COMMON = `
  delete unregister= purge C|cwd= s|stack|stage= r|region= p|profile= c|context|config= a|app= t|target=
  config-file= stack-name= require-approval= yes|y f|force|skip-preview preview-only help h|help name= d|diff
  color= message|m= n|name= e|env= o|output= all no-prompts tag= version
`

function tearsDown(...rules: readonly VerbRule[]): VerbProgram {
  return { options: COMMON, inert: 'help version preview-only', rules }
}

const CDK = tearsDown(
  ['destroy', DESTROY_INFRASTRUCTURE],
  ['deploy', APPLY, { value: [/^never$/, 'require-approval'] }],
)

function withoutAsking(): VerbRule {
  return ['deploy|apply', APPLY, { given: 'auto-approve' }]
}

const ANSIBLE = `
  i|inventory= l|limit= m|module-name= a|args= e|extra-vars= u|user= t|tags= skip-tags= f|forks= private-key=
  key-file= become-user= become-method= c|connection= T|timeout= vault-password-file= vault-id= M|module-path=
  start-at-task= b|become K k v D|diff C|check syntax-check list-hosts list-tasks list-tags h|help version
  flush-cache step
`
const ONLY_LOOKS = 'help version check syntax-check list-hosts list-tasks list-tags'

/** Words of a command for other machines that delete or stop something there. */
const DESTRUCTIVE =
  /(^|[\s;&|/])(rm|rmdir|mkfs[.\w]*|dd|wipefs|shred|reboot|shutdown|poweroff|halt|userdel|kill|pkill|killall|drop|truncate)(\s|$)|\bsystemctl\s+(stop|disable|mask)\b|\bstate=(absent|stopped)\b|\bdocker\s+(rm|system prune|volume rm)\b/i

/** Options given where nobody looks count where the words say nothing. */
const terraform: NonNullable<Program['does']> = ({ command }) => {
  const found = verbEffects(command, TERRAFORM)
  return found.length > 0 ? found : fromEnvironment(command)
}
const files = { loads: /^-(?:var-file|backend-config)$/ }

/** Infrastructure that is described in files and made, changed and torn down from them. */
export const INFRASTRUCTURE: ProgramTable = {
  'terraform tofu': {
    does: terraform,
    files,
    credentials: [['the state with its secrets', /^state pull\b|^output\b.*(secret|password|token|key)/]],
  },
  terragrunt: { does: terraform },
  pulumi: {
    acts: tearsDown(
      ['destroy|down', DESTROY_INFRASTRUCTURE],
      ['stack rm', DESTROY_INFRASTRUCTURE],
      ['up|update|refresh', APPLY, { given: 'y skip-preview' }],
      ['state delete|unprotect|edit', STATE],
      ['cancel', STATE],
    ),
    credentials: [['the secrets of the stack', /^/, / --show-secrets /]],
  },
  ...each<VerbProgram>((acts) => ({ acts }), {
    'cdk aws-cdk': CDK,
    cdktf: tearsDown(['destroy', DESTROY_INFRASTRUCTURE], withoutAsking()),
    sam: tearsDown(['delete', DESTROY_INFRASTRUCTURE]),
    'serverless sls sst': tearsDown(['remove', DESTROY_INFRASTRUCTURE]),
    amplify: tearsDown(['delete', DESTROY_INFRASTRUCTURE], ['env remove', DESTROY_INFRASTRUCTURE]),
    copilot: tearsDown(['app|env|svc|job|pipeline|storage delete', DESTROY_INFRASTRUCTURE]),
    salt: {
      options: ANSIBLE,
      rules: [['*', REMOTE_COMMAND, { word: DESTRUCTIVE }]],
    },
  }),
  ansible: {
    acts: {
      options: ANSIBLE,
      inert: ONLY_LOOKS,
      rules: [
        ['', REMOTE_COMMAND, { when: ({ read }) => certainly(valueIs(read, DESTRUCTIVE, 'args') === 'yes') }],
        ['', PLAYBOOK, { when: changesHosts }],
      ],
    },
    starts: moduleLaunch,
  },
  'ansible-playbook': {
    acts: { options: ANSIBLE, inert: ONLY_LOOKS, rules: [['*', PLAYBOOK]] },
    scripts: { files: operandFiles, commands: tasksIn },
  },
}

function changesHosts({ read }: VerbCall): Certainty {
  const looks = valueIs(
    read,
    /^(ping|setup|debug|stat|gather_facts|ansible\.builtin\.(ping|setup|debug|stat))$/,
    'module-name',
  )
  return certainly(looks !== 'yes')
}

/** `ansible hosts -m shell -a code` */
function moduleLaunch({ name, args }: LaunchCall): Launch | undefined {
  const read = readOptions(args, ANSIBLE)
  const module = exactText(valuesOf(read, 'module-name')[0]) ?? 'command'
  const [code] = valuesOf(read, 'args')
  if (code === undefined || isSet(read, 'check') || !/(^|\.)(shell|command|raw|win_shell)$/.test(module))
    return undefined
  const there: Partial<StartedCommand> = {
    shell: 'child',
    remote: `${name} ${exactText(read.operands[0]) ?? ''}`,
    setting: true,
  }
  return { own: args.length, runs: [codeRun(`${name} -a`, code.forms, there)] }
}
