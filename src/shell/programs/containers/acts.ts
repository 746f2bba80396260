import { act } from '../../vocabulary/effect.ts'

export const LOSE_VOLUME = act(
  'containers/volumes',
  'data-destroy',
  'deletes volumes and the data that containers keep in them',
)
export const PRUNE = act(
  'containers/prune',
  'data-destroy',
  'deletes every container, image or network that is not in use at this moment, also those of other projects',
)
export const REMOVE_CONTAINER = act(
  'containers/remove',
  'system-change',
  'removes containers or images that may still be in use',
)
export const ESCAPE = act(
  'privilege/container-escape',
  'privilege',
  'gives a container the rights or the files of the whole machine',
)
export const DELETE_KUBERNETES = act(
  'kubernetes/delete',
  'remote-mutate',
  'removes or stops something that runs in a cluster',
)
export const CONFIGURE_KUBERNETES = act(
  'kubernetes/config',
  'remote-mutate',
  'removes or stops something that runs in a cluster',
)
export const DESTROY_CLUSTER = act(
  'kubernetes/destroy',
  'data-destroy',
  'deletes a whole namespace, volume or kind of thing in a cluster, with everything in it',
)
/** Swarm stacks and services are a cluster's. */
export const CLUSTER_DELETE = { ...DELETE_KUBERNETES, what: 'removes something that runs in a cluster' }
export const REMOVE_ELSEWHERE = {
  ...DELETE_KUBERNETES,
  what: 'stops or removes containers on another machine',
}
