import type { ActEffect } from '../../vocabulary/effect.ts'

export const FLUSH: ActEffect = {
  kind: 'data-destroy',
  act: 'key-value/flush',
  what: 'empties a store of keys or documents',
}
export const CONFIGURE: ActEffect = {
  kind: 'system-change',
  act: 'key-value/configure',
  what: 'stops a store, or changes where it keeps and gets its data',
}

export function uncertain(effect: ActEffect, unsure: string): ActEffect {
  return { ...effect, unsure }
}
