import { eachWord } from '../../../core/word-list.ts'
import { optionTable } from '../../arguments/options.ts'
import { isGiven, type VerbProgram, type VerbRule, valueIs } from '../../arguments/verbs.ts'
import { APPLY, DESTROY_INFRASTRUCTURE, STATE } from './acts.ts'
import { INFRASTRUCTURE_HOSTS } from './hosts.ts'
import { MACHINES } from './machines.ts'
import { TERRAFORM } from './terraform.ts'

const COMMON = optionTable(`
  delete unregister= purge C|cwd= s|stack|stage= r|region= p|profile= c|context|config= a|app= t|target=
  config-file= stack-name= require-approval= yes|y f|force|skip-preview preview-only help h|help name= d|diff
  color= message|m= n|name= e|env= o|output= all no-prompts tag= version
`)

function tearsDown(...rules: readonly VerbRule[]): VerbProgram {
  return { options: COMMON, inert: ['help', 'version', 'preview-only'], rules }
}

const CDK = tearsDown(
  { verbs: 'destroy', act: DESTROY_INFRASTRUCTURE },
  { verbs: 'deploy', act: APPLY, when: ({ read }) => valueIs(read, /^never$/, 'require-approval') },
)

export const INFRASTRUCTURE: ReadonlyMap<string, VerbProgram> = new Map<string, VerbProgram>([
  ...eachWord('terraform tofu terragrunt', TERRAFORM),
  ...MACHINES,
  ...INFRASTRUCTURE_HOSTS,
  [
    'pulumi',
    tearsDown(
      { verbs: 'destroy|down', act: DESTROY_INFRASTRUCTURE },
      { verbs: 'stack rm', act: DESTROY_INFRASTRUCTURE },
      { verbs: 'up|update|refresh', act: APPLY, when: ({ read }) => isGiven(read, 'y', 'skip-preview') },
      { verbs: 'state delete|unprotect|edit', act: STATE },
      { verbs: 'cancel', act: STATE },
    ),
  ],
  ['cdk', CDK],
  ['aws-cdk', CDK],
  ['cdktf', tearsDown({ verbs: 'destroy', act: DESTROY_INFRASTRUCTURE }, withoutAsking())],
  ['sam', tearsDown({ verbs: 'delete', act: DESTROY_INFRASTRUCTURE })],
  ['serverless', tearsDown({ verbs: 'remove', act: DESTROY_INFRASTRUCTURE })],
  ['sls', tearsDown({ verbs: 'remove', act: DESTROY_INFRASTRUCTURE })],
  [
    'amplify',
    tearsDown(
      { verbs: 'delete', act: DESTROY_INFRASTRUCTURE },
      { verbs: 'env remove', act: DESTROY_INFRASTRUCTURE },
    ),
  ],
  ['copilot', tearsDown({ verbs: 'app|env|svc|job|pipeline|storage delete', act: DESTROY_INFRASTRUCTURE })],
  ['sst', tearsDown({ verbs: 'remove', act: DESTROY_INFRASTRUCTURE })],
])

function withoutAsking(): VerbRule {
  return { verbs: 'deploy|apply', act: APPLY, when: ({ read }) => isGiven(read, 'auto-approve') }
}
