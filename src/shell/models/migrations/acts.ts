import type { ActEffect } from '../../vocabulary/effect.ts'

export const RESET: ActEffect = {
  kind: 'data-destroy',
  act: 'migrations/reset',
  what: 'drops or empties the whole database of the application',
}
