import { type ActEffect, act } from '../../vocabulary/effect.ts'

export const DELETE_CLOUD = act(
  'cloud/delete',
  'data-destroy',
  'deletes something in a cloud account for good',
)
export const DELETE_OBJECT = act(
  'cloud/delete-object',
  'data-destroy',
  'deletes stored objects in a cloud account',
)
export const ACCESS = act(
  'cloud/access',
  'privilege',
  'changes who may use a cloud account, or makes something in it public',
)

export function unsure(what: ActEffect): ActEffect {
  return { ...what, unsure: 'what it does is known only at run time' }
}
