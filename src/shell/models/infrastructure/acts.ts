import type { ActEffect } from '../../vocabulary/effect.ts'

export const DESTROY_INFRASTRUCTURE: ActEffect = {
  kind: 'data-destroy',
  act: 'infrastructure/destroy',
  what: 'tears down infrastructure and the data in it',
}
export const APPLY: ActEffect = {
  kind: 'remote-mutate',
  act: 'infrastructure/apply',
  what: 'changes infrastructure without showing the plan to anybody first',
}
export const STATE: ActEffect = {
  kind: 'remote-mutate',
  act: 'infrastructure/state',
  what: 'changes what is recorded about infrastructure, or removes an environment',
}
export const REMOTE_COMMAND: ActEffect = {
  kind: 'remote-mutate',
  act: 'infrastructure/remote-command',
  what: 'deletes or stops something on other machines, many of them at once',
}
export const MACHINE: ActEffect = {
  kind: 'data-destroy',
  act: 'infrastructure/machine',
  what: 'removes or stops a virtual machine, with its disks',
}
export const PLAYBOOK: ActEffect = {
  kind: 'remote-mutate',
  act: 'infrastructure/playbook',
  what: 'changes other machines',
}
