import { optionTable } from '../../arguments/options.ts'
import { isGiven, type VerbProgram, type VerbRule } from '../../arguments/verbs.ts'
import { MACHINE } from './acts.ts'

const OPTIONS = optionTable(
  'c|connect= f|force delete remove-all-storage purge all unregister= h|help version y|yes',
)

function tearsDown(...rules: readonly VerbRule[]): VerbProgram {
  return { options: OPTIONS, inert: ['help', 'version'], rules }
}

/** Programs that keep virtual machines. */
export const MACHINES: ReadonlyMap<string, VerbProgram> = new Map([
  ['vagrant', tearsDown({ verbs: 'destroy', act: MACHINE }, { verbs: 'box remove', act: MACHINE })],
  ['multipass', tearsDown({ verbs: 'delete|purge', act: MACHINE })],
  [
    'virsh',
    tearsDown({
      verbs: 'destroy|undefine|vol-delete|pool-delete|pool-destroy|snapshot-delete',
      act: MACHINE,
    }),
  ],
  [
    'VBoxManage',
    tearsDown({
      verbs: 'unregistervm|closemedium',
      act: MACHINE,
      when: ({ read }) => isGiven(read, 'delete'),
    }),
  ],
  ['qm', tearsDown({ verbs: 'destroy|delsnapshot', act: MACHINE })],
  ['pct', tearsDown({ verbs: 'destroy|delsnapshot', act: MACHINE })],
  ['lxc', tearsDown({ verbs: 'delete', act: MACHINE }, { verbs: 'storage delete', act: MACHINE })],
  ['incus', tearsDown({ verbs: 'delete', act: MACHINE }, { verbs: 'storage delete', act: MACHINE })],
  ['limactl', tearsDown({ verbs: 'delete|remove|rm|factory-reset', act: MACHINE })],
  ['machinectl', tearsDown({ verbs: 'remove|clean', act: MACHINE })],
  ['colima', tearsDown({ verbs: 'delete', act: MACHINE })],
  ['wsl', tearsDown({ verbs: '', act: MACHINE, when: ({ read }) => isGiven(read, 'unregister') })],
])
