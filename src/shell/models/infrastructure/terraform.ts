import { wordList } from '../../../core/word-list.ts'
import { optionTable } from '../../arguments/options.ts'
import { type Certainty, certainly, isGiven, type VerbCall, type VerbProgram } from '../../arguments/verbs.ts'
import { APPLY, DESTROY_INFRASTRUCTURE, STATE } from './acts.ts'

const TERRAFORM_OPTIONS = optionTable(`
  chdir= var= var-file= target= replace= state= state-out= backup= lock-timeout= parallelism= out=
  backend-config= lock= auto-approve=? destroy=? refresh=? force=? dry-run=? help version json no-color input=
  refresh-only h|help all compact-warnings working-dir= config= iam-role= download-dir= log-level=
  non-interactive source=
`)

/** Terraform and those made from it. */
export const TERRAFORM: VerbProgram = {
  options: TERRAFORM_OPTIONS,
  singleDash: true,
  inert: ['help', 'version'],
  dryRun: ['dry-run'],
  harmless: wordList('plan init validate fmt show output console graph providers import get'),
  rules: [
    { verbs: 'destroy|destroy-all', act: DESTROY_INFRASTRUCTURE },
    { verbs: 'apply|apply-all', act: DESTROY_INFRASTRUCTURE, when: ({ read }) => isGiven(read, 'destroy') },
    { verbs: 'run-all|run destroy', act: DESTROY_INFRASTRUCTURE },
    { verbs: 'stack run destroy', act: DESTROY_INFRASTRUCTURE },
    { verbs: 'apply|apply-all', act: APPLY, when: ({ read }) => isGiven(read, 'auto-approve') },
    { verbs: 'apply|apply-all', act: APPLY, when: isAnswered },
    { verbs: 'run-all|run apply', act: APPLY },
    { verbs: 'refresh', act: APPLY, when: ({ read }) => certainly(isGiven(read, 'auto-approve') === 'yes') },
    { verbs: 'state rm|push|replace-provider', act: STATE },
    { verbs: 'workspace delete', act: STATE },
    { verbs: 'force-unlock|taint', act: STATE },
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
