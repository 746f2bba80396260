import type { ActEffect } from '../../vocabulary/effect.ts'

export const SCHEDULE: ActEffect = {
  kind: 'system-change',
  act: 'scheduling/install',
  what: 'makes a command run later, without supervision',
}
export const UNSCHEDULE: ActEffect = {
  kind: 'data-destroy',
  act: 'scheduling/remove',
  what: 'removes jobs that are planned on this machine',
}
