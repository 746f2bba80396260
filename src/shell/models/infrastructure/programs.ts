import { optionTable } from '../../options.ts'
import { isGiven, type VerbProgram, type VerbRule, valueIs } from '../../verbs.ts'
import { APPLY, DESTROY, STATE } from './acts.ts'
import { HOSTS } from './hosts.ts'
import { MACHINES } from './machines.ts'
import { TERRAFORM } from './terraform.ts'

const COMMON = optionTable(
  ...['delete', 'unregister=', 'purge', 'C|cwd=', 's|stack|stage=', 'r|region=', 'p|profile='],
  ...['c|context|config=', 'a|app=', 't|target=', 'config-file=', 'stack-name=', 'require-approval='],
  ...['yes|y', 'f|force|skip-preview', 'preview-only', 'help', 'h|help', 'name=', 'd|diff', 'color='],
  ...['message|m=', 'n|name=', 'e|env=', 'o|output=', 'all', 'no-prompts', 'tag=', 'version'],
)

function tearsDown(...rules: readonly VerbRule[]): VerbProgram {
  return { options: COMMON, inert: ['help', 'version', 'preview-only'], rules }
}

const CDK = tearsDown(
  { verbs: 'destroy', act: DESTROY },
  { verbs: 'deploy', act: APPLY, when: ({ read }) => valueIs(read, /^never$/, 'require-approval') },
)

export const INFRASTRUCTURE: ReadonlyMap<string, VerbProgram> = new Map<string, VerbProgram>([
  ...['terraform', 'tofu', 'terragrunt'].map((name) => [name, TERRAFORM] as const),
  ...MACHINES,
  ...HOSTS,
  [
    'pulumi',
    tearsDown(
      { verbs: 'destroy|down', act: DESTROY },
      { verbs: 'stack rm', act: DESTROY },
      { verbs: 'up|update|refresh', act: APPLY, when: ({ read }) => isGiven(read, 'y', 'skip-preview') },
      { verbs: 'state delete|unprotect|edit', act: STATE },
      { verbs: 'cancel', act: STATE },
    ),
  ],
  ['cdk', CDK],
  ['aws-cdk', CDK],
  ['cdktf', tearsDown({ verbs: 'destroy', act: DESTROY }, withoutAsking())],
  ['sam', tearsDown({ verbs: 'delete', act: DESTROY })],
  ['serverless', tearsDown({ verbs: 'remove', act: DESTROY })],
  ['sls', tearsDown({ verbs: 'remove', act: DESTROY })],
  ['amplify', tearsDown({ verbs: 'delete', act: DESTROY }, { verbs: 'env remove', act: DESTROY })],
  ['copilot', tearsDown({ verbs: 'app|env|svc|job|pipeline|storage delete', act: DESTROY })],
  ['sst', tearsDown({ verbs: 'remove', act: DESTROY })],
])

function withoutAsking(): VerbRule {
  return { verbs: 'deploy|apply', act: APPLY, when: ({ read }) => isGiven(read, 'auto-approve') }
}
