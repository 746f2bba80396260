import type { GuardMatch } from '../../../../core/guard.ts'
import { spellPath } from '../../../../shell/vocabulary/effect.ts'
import { caughtChange, changedPaths, type PathChange } from '../../../analysis/changed-paths.ts'
import { SURE_CHANGES } from '../../../analysis/topics.ts'
import { actGuard } from '../../act-guard.ts'
import { detector, onTopics } from '../../shell-guard.ts'

/** The state may also be a file, and can be deleted like one. */
export const infrastructureState = actGuard({
  id: 'safety/remote/infrastructure-state',
  title: 'Changing infrastructure state',
  why: 'A resource that is removed from the state still runs and costs money, but the tool no longer manages it.',
  instead: 'look with `terraform state list` and `terraform plan`, and let the user change the state.',
  acts: ['infrastructure/state'],
  mentions: /^(?=.*\b(terraform|tofu|pulumi)\b)(?=.*\b(state|workspace|force-unlock|taint)\b)/s,
  maybe: 'may change infrastructure state',
  also: [detector(onTopics([SURE_CHANGES], changedPaths), judge)],
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'terraform state rm aws_instance.web',
      'terraform -chdir=infra state rm module.db',
      'terraform state push terraform.tfstate',
      'terraform workspace delete staging',
      'terraform force-unlock -force 1234',
      'terraform taint aws_instance.web',
      'tofu state rm aws_instance.web',
      'pulumi state delete urn:pulumi:prod',
      'pulumi cancel --yes',
      'terraform workspace delete -force staging',
      'rm terraform.tfstate',
      'rm -f infra/terraform.tfstate infra/terraform.tfstate.backup',
    ],
    passes: [
      'terraform state list',
      'terraform state show aws_instance.web',
      'terraform state pull',
      'terraform state rm -dry-run aws_instance.web',
      'terraform workspace list',
      'rm -rf .terraform',
      'rm /tmp/checkout/terraform.tfstate',
      'cp terraform.tfstate /tmp/backup.tfstate',
      'terraform workspace select dev',
      'terraform untaint aws_instance.web',
      'tofu show',
      'pulumi state --help',
      'pulumi stack ls',
    ],
  },
})

const STATE = /(?:^|\/)terraform\.tfstate(?:\.d\/.*)?$/

function judge(change: PathChange): GuardMatch | null {
  if (change.guessed === true || change.does !== 'deletes') return null
  const path = change.path.text ?? spellPath(change.path)
  if (!STATE.test(path) || path.startsWith('/tmp/')) return null
  return caughtChange(change, `deletes infrastructure state (${change.source})`)
}
