import type { VerbProgram, VerbRule } from '../../arguments/verbs.ts'
import { PLAIN } from '../aspects/wrapper.ts'
import { INSTANCE } from '../containers/docker.ts'
import { each, type ProgramTable } from '../program.ts'
import { DELETE_MACHINE } from './infrastructure-acts.ts'

const OPTIONS = 'c|connect= f|force delete remove-all-storage purge all unregister= h|help version y|yes'

function tearsDown(...rules: readonly VerbRule[]): VerbProgram {
  return { options: OPTIONS, inert: 'help version', rules }
}

/** Programs that keep virtual machines. */
export const MACHINES: ProgramTable = {
  vagrant: {
    acts: tearsDown(['destroy', DELETE_MACHINE], ['box remove', DELETE_MACHINE]),
    wraps: {
      ...PLAIN,
      verbs: {
        ssh: { options: 'c|command= p|plain', operands: 1, code: 'command', remote: true },
      },
    },
  },
  multipass: {
    acts: tearsDown(['delete|purge', DELETE_MACHINE]),
    wraps: { ...PLAIN, verbs: { exec: INSTANCE } },
  },
  ...each<VerbProgram>((acts) => ({ acts }), {
    virsh: tearsDown([
      'destroy|undefine|vol-delete|pool-delete|pool-destroy|snapshot-delete',
      DELETE_MACHINE,
    ]),
    VBoxManage: tearsDown(['unregistervm|closemedium', DELETE_MACHINE, { given: 'delete' }]),
    'qm pct': tearsDown(['destroy|delsnapshot', DELETE_MACHINE]),
  }),
  'lxc incus': {
    acts: tearsDown(['delete', DELETE_MACHINE], ['storage delete', DELETE_MACHINE]),
    wraps: { ...PLAIN, verbs: { exec: INSTANCE } },
  },
  limactl: {
    acts: tearsDown(['delete|remove|rm|factory-reset', DELETE_MACHINE]),
    wraps: {
      ...PLAIN,
      verbs: { shell: { options: 'workdir= shell=', operands: 1, remote: true } },
    },
  },
  machinectl: {
    acts: tearsDown(['remove|clean', DELETE_MACHINE]),
    wraps: {
      ...PLAIN,
      verbs: { shell: { options: 'uid= setenv= E=', operands: 1, remote: true } },
    },
  },
  colima: {
    acts: tearsDown(['delete', DELETE_MACHINE]),
    wraps: {
      options: 'p|profile=',
      verbs: { ssh: { options: 'p|profile=', separated: true, remote: true } },
    },
  },
  wsl: {
    acts: tearsDown(['', DELETE_MACHINE, { given: 'unregister' }]),
    wraps: { options: 'd|distribution= u|user= cd= e|exec shell-type=', folder: 'cd' },
  },
}
