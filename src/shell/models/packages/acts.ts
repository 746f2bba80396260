import type { ActEffect } from '../../vocabulary/effect.ts'

export const PUBLISH: ActEffect = {
  kind: 'remote-mutate',
  act: 'packages/publish',
  what: 'publishes a package for everybody; a version that is out cannot be replaced',
}
export const UNPUBLISH: ActEffect = {
  kind: 'data-destroy',
  act: 'packages/unpublish',
  what: 'takes a published package or version away from everybody who uses it',
}
export const REMOVE_PACKAGE: ActEffect = {
  kind: 'system-change',
  act: 'packages/remove',
  what: 'removes software from this machine that other things may need',
}
