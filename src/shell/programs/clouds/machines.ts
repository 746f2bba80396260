import { isGiven, type VerbProgram, type VerbRule } from '../../arguments/verbs.ts'
import { PLAIN } from '../aspects/wrapper.ts'
import { INSTANCE } from '../containers/docker.ts'
import { each, type ProgramTable } from '../program.ts'
import { MACHINE } from './infrastructure-acts.ts'

const OPTIONS = 'c|connect= f|force delete remove-all-storage purge all unregister= h|help version y|yes'

function tearsDown(...rules: readonly VerbRule[]): VerbProgram {
  return { options: OPTIONS, inert: ['help', 'version'], rules }
}

/** Programs that keep virtual machines. */
export const MACHINES: ProgramTable = {
  vagrant: {
    acts: tearsDown({ verbs: 'destroy', act: MACHINE }, { verbs: 'box remove', act: MACHINE }),
    wraps: {
      ...PLAIN,
      verbs: {
        ssh: { options: 'c|command= p|plain', operands: 1, code: 'command', remote: true },
      },
    },
  },
  multipass: {
    acts: tearsDown({ verbs: 'delete|purge', act: MACHINE }),
    wraps: { ...PLAIN, verbs: { exec: INSTANCE } },
  },
  ...each<VerbProgram>((acts) => ({ acts }), {
    virsh: tearsDown({
      verbs: 'destroy|undefine|vol-delete|pool-delete|pool-destroy|snapshot-delete',
      act: MACHINE,
    }),
    VBoxManage: tearsDown({
      verbs: 'unregistervm|closemedium',
      act: MACHINE,
      when: ({ read }) => isGiven(read, 'delete'),
    }),
    'qm pct': tearsDown({ verbs: 'destroy|delsnapshot', act: MACHINE }),
  }),
  'lxc incus': {
    acts: tearsDown({ verbs: 'delete', act: MACHINE }, { verbs: 'storage delete', act: MACHINE }),
    wraps: { ...PLAIN, verbs: { exec: INSTANCE } },
  },
  limactl: {
    acts: tearsDown({ verbs: 'delete|remove|rm|factory-reset', act: MACHINE }),
    wraps: {
      ...PLAIN,
      verbs: { shell: { options: 'workdir= shell=', operands: 1, remote: true } },
    },
  },
  machinectl: {
    acts: tearsDown({ verbs: 'remove|clean', act: MACHINE }),
    wraps: {
      ...PLAIN,
      verbs: { shell: { options: 'uid= setenv= E=', operands: 1, remote: true } },
    },
  },
  colima: {
    acts: tearsDown({ verbs: 'delete', act: MACHINE }),
    wraps: {
      options: 'p|profile=',
      verbs: { ssh: { options: 'p|profile=', separated: true, remote: true } },
    },
  },
  wsl: {
    acts: tearsDown({ verbs: '', act: MACHINE, when: ({ read }) => isGiven(read, 'unregister') }),
    wraps: { options: 'd|distribution= u|user= cd= e|exec shell-type=', folder: 'cd' },
  },
}
