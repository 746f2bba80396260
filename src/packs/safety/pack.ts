import type { Pack } from '../guard.ts'
import { deleteRoot } from './files/delete-root.ts'
import { forcePush } from './git/force-push.ts'
import { unreadableCommand } from './shell/unreadable.ts'
import { shutdown } from './system/shutdown.ts'

export const pack: Pack = {
  id: 'safety',
  title: 'Acts that cannot be taken back',
  guards: [forcePush, deleteRoot, unreadableCommand, shutdown],
}
