import { verbEffects } from '../arguments/verbs.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { exactText } from '../words/words.ts'
import { APPLY, DESTROY_INFRASTRUCTURE } from './infrastructure/acts.ts'
import { INFRASTRUCTURE } from './infrastructure/programs.ts'
import type { Model, ModelCall, ModelCases } from './model.ts'

/** Infrastructure that is described in files and made, changed and torn down from them. */
export const infrastructure: Model = {
  programs: [...INFRASTRUCTURE.keys()],
  effects(call) {
    const program = INFRASTRUCTURE.get(call.name)
    const found = program === undefined ? [] : verbEffects(call.command, program)
    return found.length > 0 ? found : fromEnvironment(call)
  },
}

const MACHINE = 'data-destroy infrastructure/machine'

export const cases: ModelCases = [
  ['terraform plan -out=tfplan'],
  ['terraform plan -destroy'],
  ['terraform -chdir=infra init'],
  ['terraform apply tfplan'],
  ['terraform apply'],
  ['terraform import aws_s3_bucket.b name'],
  ['terraform state list'],
  ['terraform destroy', 'data-destroy infrastructure/destroy'],
  ['terraform -chdir=infra destroy -auto-approve', 'data-destroy infrastructure/destroy'],
  ['terraform destroy -target aws_instance.web', 'data-destroy infrastructure/destroy'],
  ['terraform apply -destroy -auto-approve', 'data-destroy infrastructure/destroy'],
  ['terraform apply --destroy', 'data-destroy infrastructure/destroy'],
  ['terraform destroy -help'],
  ['terraform apply -auto-approve', 'remote-mutate infrastructure/apply'],
  ['terraform apply -auto-approve=false'],
  ['terraform apply -var x=1 -auto-approve', 'remote-mutate infrastructure/apply'],
  ['TF_CLI_ARGS_apply=-auto-approve terraform apply', 'remote-mutate infrastructure/apply'],
  ['terraform $VERB', 'data-destroy infrastructure/destroy ?'],
  ['terraform state rm aws_instance.web', 'remote-mutate infrastructure/state'],
  ['terraform state rm -dry-run aws_instance.web'],
  ['terraform workspace delete staging', 'remote-mutate infrastructure/state'],
  ['terraform workspace select staging'],
  ['terraform force-unlock 1234', 'remote-mutate infrastructure/state'],
  ['tofu destroy', 'data-destroy infrastructure/destroy'],
  ['tofu validate'],
  ['terragrunt run-all destroy', 'data-destroy infrastructure/destroy'],
  ['terragrunt run --all -- destroy', 'data-destroy infrastructure/destroy'],
  ['terragrunt run-all plan'],
  ['pulumi preview --diff'],
  ['pulumi up'],
  ['pulumi -C infra up --yes', 'remote-mutate infrastructure/apply'],
  ['pulumi destroy -s prod', 'data-destroy infrastructure/destroy'],
  ['pulumi destroy --preview-only'],
  ['pulumi stack rm staging', 'data-destroy infrastructure/destroy'],
  ['pulumi state delete urn', 'remote-mutate infrastructure/state'],
  ['cdk diff'],
  ['npx aws-cdk@2 destroy -f', 'data-destroy infrastructure/destroy'],
  ['cdk deploy'],
  ['cdk deploy --require-approval never', 'remote-mutate infrastructure/apply'],
  ['cdk destroy --force', 'data-destroy infrastructure/destroy'],
  ['cdktf destroy', 'data-destroy infrastructure/destroy'],
  ['cdktf synth'],
  ['sam build'],
  ['sam delete --stack-name api', 'data-destroy infrastructure/destroy'],
  ['serverless remove --stage prod', 'data-destroy infrastructure/destroy'],
  ['sls deploy --stage dev'],
  ['amplify delete', 'data-destroy infrastructure/destroy'],
  ['copilot app delete --yes', 'data-destroy infrastructure/destroy'],
  ['vagrant up'],
  ['vagrant destroy -f', MACHINE],
  ['sst remove --stage prod', 'data-destroy infrastructure/destroy'],
  ['sst dev'],
  ['multipass list'],
  ['multipass delete --all --purge', MACHINE],
  ['virsh list --all'],
  ['virsh undefine web --remove-all-storage', MACHINE],
  ['VBoxManage list vms'],
  ['VBoxManage unregistervm web --delete', MACHINE],
  ['qm destroy 100 --purge', MACHINE],
  ['pct list'],
  ['pct destroy 101', MACHINE],
  ['lxc delete web --force', MACHINE],
  ['incus list'],
  ['incus delete web', MACHINE],
  ['limactl list'],
  ['limactl delete --force default', MACHINE],
  ['machinectl list'],
  ['machinectl remove web', MACHINE],
  ['colima start'],
  ['colima delete -f', MACHINE],
  ['wsl --list'],
  ['wsl --unregister Ubuntu', MACHINE],
  ['yes | terraform apply', 'remote-mutate infrastructure/apply'],
  ["ansible all -m shell -a 'rm -rf /srv/data'", 'remote-mutate infrastructure/remote-command'],
  ["ansible all -m file -a 'path=/srv/data state=absent'", 'remote-mutate infrastructure/remote-command'],
  ["salt '*' test.ping"],
  ["salt '*' cmd.run 'rm -rf /srv/data'", 'remote-mutate infrastructure/remote-command'],
  ['ansible all -m ping'],
  ['ansible all -m shell -a uptime', 'remote-mutate infrastructure/playbook'],
  ['ansible-playbook site.yml --check'],
  ['ansible-playbook site.yml --syntax-check'],
  ['ansible-playbook -i hosts site.yml', 'remote-mutate infrastructure/playbook'],
]

/** `TF_CLI_ARGS=-auto-approve`: options given where nobody looks. */
function fromEnvironment({ command }: ModelCall): readonly ActEffect[] {
  const given = command.assignments.filter(({ name }) => name.startsWith('TF_CLI_ARGS'))
  const text = given.map(({ value }) => exactText(value) ?? '').join(' ')
  const applies = command.args.some((word) => exactText(word) === 'apply')
  if (!applies) return []
  if (/-destroy\b/.test(text)) return [DESTROY_INFRASTRUCTURE]
  return /-auto-approve\b(?!=false)/.test(text) ? [APPLY] : []
}
