import { actGuard } from '../../act-guard.ts'

export const infrastructureState = actGuard({
  id: 'safety/remote/infrastructure-state',
  title: 'Changing the record of infrastructure',
  why: 'What is not in the record any more is still paid for, and nobody manages it.',
  instead: 'look with `terraform state list` and `terraform plan`, and ask the person to change the record.',
  acts: ['infrastructure/state'],
  mentions: /^(?=.*\b(terraform|tofu|pulumi)\b)(?=.*\b(state|workspace|force-unlock|taint)\b)/s,
  maybe: 'may change the record of infrastructure',
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
    ],
    passes: [
      'terraform state list',
      'terraform state show aws_instance.web',
      'terraform state pull',
      'terraform state rm -dry-run aws_instance.web',
      'terraform workspace list',
      'terraform workspace select dev',
      'terraform untaint aws_instance.web',
      'tofu show',
      'pulumi state --help',
      'pulumi stack ls',
    ],
  },
})
