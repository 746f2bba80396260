import { act } from '../../vocabulary/effect.ts'

export const ABSOLUTE = {
  ...act(
    'files/extract-absolute',
    'data-destroy',
    'unpacks files to wherever the archive says, outside this folder too',
  ),
  unsure: 'what is in the archive is not known',
}
export const DELETE_BACKUPS = act('files/delete-backups', 'data-destroy', 'deletes backups')
/** Files on the other machine that this one does not have are deleted there. */
export const SYNC_DELETE = act(
  'files/sync-delete-remote',
  'remote-mutate',
  'deletes on another machine whatever the source does not have',
)
