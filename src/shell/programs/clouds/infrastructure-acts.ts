import { act } from '../../vocabulary/effect.ts'

export const DESTROY_INFRASTRUCTURE = act(
  'infrastructure/destroy',
  'data-destroy',
  'tears down infrastructure and the data in it',
)
export const APPLY = act(
  'infrastructure/apply',
  'remote-mutate',
  'changes infrastructure without showing the plan to anybody first',
)
export const STATE = act(
  'infrastructure/state',
  'remote-mutate',
  'changes what is recorded about infrastructure, or removes an environment',
)
export const REMOTE_COMMAND = act(
  'infrastructure/remote-command',
  'remote-mutate',
  'deletes or stops something on other machines, many of them at once',
)
export const DELETE_MACHINE = act(
  'infrastructure/machine',
  'data-destroy',
  'removes or stops a virtual machine, with its disks',
)
export const PLAYBOOK = act('infrastructure/playbook', 'remote-mutate', 'changes other machines')
