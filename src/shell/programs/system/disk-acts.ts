import { act } from '../../vocabulary/effect.ts'

export const FORMAT = act(
  'disk/format',
  'data-destroy',
  'makes a new file system where another may be, with everything on it lost',
)
export const ERASE = act('disk/erase', 'data-destroy', 'erases a whole disk or partition')
export const PARTITION = act(
  'disk/partition',
  'data-destroy',
  'changes how a disk is divided, with what is on it lost',
)
export const REMOVE_VOLUME = act(
  'disk/remove-volume',
  'data-destroy',
  'removes a volume, pool or snapshot with everything on it',
)
export const MOUNT = act('disk/mount', 'system-change', 'changes how a file system is mounted')
export const MAKE_DEVICE = act(
  'disk/make-device',
  'data-destroy',
  'makes a way to write onto a disk past its rights',
)
