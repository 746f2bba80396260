import type { ActEffect } from '../../vocabulary/effect.ts'

/** Code that a program is told to load, by an option or a setting nobody looks at. */
export const LOADS_CODE: ActEffect = {
  kind: 'system-change',
  act: 'shell/hidden-exec',
  what: 'makes a program load code from a file',
}

/** The same, fetched from afar: what arrives is what anybody between made of it. */
export const LOADS_OVER_OPEN_LINE: ActEffect = {
  ...LOADS_CODE,
  what: 'installs code over a line (http) on which anybody can change it, or makes that the rule',
}
