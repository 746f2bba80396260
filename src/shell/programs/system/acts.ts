import { act } from '../../vocabulary/effect.ts'

export const CHANGE_KERNEL = act(
  'system/kernel',
  'system-change',
  'changes the running kernel, the clock, how the machine starts, or its network',
)
export const SWAP_OFF = act('system/swap', 'system-change', 'takes memory away from everything that runs')
export const PROTECTION = act(
  'system/protection',
  'system-change',
  'changes or switches off what protects this machine',
)
export const PROTECTION_OFF = {
  ...PROTECTION,
  what: 'switches off a program that protects or watches the machine',
}
export const TRACES = act(
  'system/traces',
  'system-change',
  'removes the record of what was done on this machine',
)
export const TRACES_REMOVED = { ...TRACES, what: 'removes the record of what was done' }
export const KILL_ALL = act(
  'system/kill-all',
  'system-change',
  'ends every process it may, the session itself among them',
)
export const SHUT_DOWN = act('system/shutdown', 'system-change', 'stops or restarts the whole machine')
export const STOP_SERVICE = act(
  'system/stop-service',
  'system-change',
  'stops a service that others may be using',
)
export const START_AT_BOOT = act(
  'system/start-at-boot',
  'system-change',
  'makes something start by itself whenever the machine or a person does',
)
export const CHANGE_USERS = act(
  'system/users',
  'system-change',
  'changes who may use this machine, and how they get in',
)
export const SCHEDULE = act(
  'scheduling/install',
  'system-change',
  'makes a command run later, without supervision',
)
export const UNSCHEDULE = act(
  'scheduling/remove',
  'data-destroy',
  'removes jobs that are planned on this machine',
)
