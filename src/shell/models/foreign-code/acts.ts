import type { ActEffect } from '../../effect.ts'

/** Code that a program is told to load, by an option or a setting nobody looks at. */
export const LOADS_CODE: ActEffect = {
  kind: 'system-change',
  act: 'shell/hidden-exec',
  what: 'makes a program load code from a file',
}
