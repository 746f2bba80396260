import type { ActEffect } from '../../vocabulary/effect.ts'

export const KILL_ALL: ActEffect = {
  kind: 'system-change',
  act: 'system/kill-all',
  what: 'ends every process it may, the session itself among them',
}
export const SHUT_DOWN: ActEffect = {
  kind: 'system-change',
  act: 'system/shutdown',
  what: 'stops or restarts the whole machine',
}
export const STOP_SERVICE: ActEffect = {
  kind: 'system-change',
  act: 'system/stop-service',
  what: 'stops a service that others may be using',
}

export const START_AT_BOOT: ActEffect = {
  kind: 'system-change',
  act: 'system/start-at-boot',
  what: 'makes something start by itself whenever the machine or a person does',
}
