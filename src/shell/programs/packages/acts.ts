import { act } from '../../vocabulary/effect.ts'

export const PUBLISH = act(
  'packages/publish',
  'remote-mutate',
  'publishes a package for everybody; a version that is out cannot be replaced',
)
export const UNPUBLISH = act(
  'packages/unpublish',
  'data-destroy',
  'takes a published package or version away from everybody who uses it',
)
export const REMOVE_PACKAGE = act(
  'packages/remove',
  'system-change',
  'removes software from this machine that other things may need',
)
export const FOREIGN = act(
  'packages/foreign-code',
  'system-change',
  'runs code of a package from an address that no registry checks',
)
/** Code that a program is told to load, by an option or a setting nobody looks at. */
export const LOADS_CODE = act('shell/hidden-exec', 'system-change', 'makes a program load code from a file')
/** The same, fetched from afar: what arrives is what anybody between made of it. */
export const LOADS_OVER_OPEN_LINE = {
  ...LOADS_CODE,
  what: 'installs code over a line (http) on which anybody can change it, or makes that the rule',
}
