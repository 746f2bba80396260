import { spellPath } from '../../../shell/effect.ts'
import { actGuard } from '../../act-guard.ts'
import { type Change, caughtChange, changedPaths } from '../../changed-paths.ts'
import type { Caught } from '../../guard.ts'
import { look } from '../../shell-guard.ts'

/** The record may also be a file, and go like one. */
export const infrastructureState = actGuard({
  id: 'safety/remote/infrastructure-state',
  title: 'Changing the record of infrastructure',
  why: 'What is not in the record any more is still paid for, and nobody manages it.',
  instead: 'look with `terraform state list` and `terraform plan`, and ask the person to change the record.',
  acts: ['infrastructure/state'],
  mentions: /^(?=.*\b(terraform|tofu|pulumi)\b)(?=.*\b(state|workspace|force-unlock|taint)\b)/s,
  maybe: 'may change the record of infrastructure',
  also: [look(changedPaths, judge)],
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

function judge(change: Change): Caught | null {
  if (change.guessed === true || change.does !== 'deletes') return null
  const path = change.path.text ?? spellPath(change.path)
  if (!STATE.test(path) || path.startsWith('/tmp/')) return null
  return caughtChange(change, `deletes the record of what is managed (${change.source})`)
}
