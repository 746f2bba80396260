import { act } from '../../vocabulary/effect.ts'

export const DELETE_REPOSITORY = act(
  'github/delete-repository',
  'data-destroy',
  'deletes a whole repository on its host, with its issues and pull requests',
)
export const DELETE = act(
  'github/delete',
  'remote-mutate',
  'deletes or replaces something on the code host, or changes who may see it',
)
export const HOST_CHANGE = act(
  'github/change',
  'remote-mutate',
  'changes something on the code host that others see at once',
)
