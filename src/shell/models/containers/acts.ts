import type { ActEffect } from '../../vocabulary/effect.ts'

export const LOSE_VOLUME: ActEffect = {
  kind: 'data-destroy',
  act: 'containers/volumes',
  what: 'deletes volumes and the data that containers keep in them',
}
export const PRUNE: ActEffect = {
  kind: 'data-destroy',
  act: 'containers/prune',
  what: 'deletes every container, image or network that is not in use at this moment, also those of other projects',
}
export const REMOVE_CONTAINER: ActEffect = {
  kind: 'system-change',
  act: 'containers/remove',
  what: 'removes containers or images that may still be in use',
}
export const ESCAPE: ActEffect = {
  kind: 'privilege',
  act: 'privilege/container-escape',
  what: 'gives a container the rights or the files of the whole machine',
}
/** Swarm stacks and services are a cluster's. */
export const CLUSTER_DELETE: ActEffect = {
  kind: 'remote-mutate',
  act: 'kubernetes/delete',
  what: 'removes something that runs in a cluster',
}
export const REMOVE_ELSEWHERE: ActEffect = {
  ...CLUSTER_DELETE,
  what: 'stops or removes containers on another machine',
}
