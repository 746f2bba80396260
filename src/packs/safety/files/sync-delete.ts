import type { Event } from '../../../event.ts'
import type { Facts } from '../../../facts.ts'
import { caughtEffect, shellEffects } from '../../effects-of.ts'
import type { Caught, GuardInput } from '../../guard.ts'
import { actsIn, look, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { caughtDeletion, type Deletion, deletionsAmong, isSync } from './deletions-in.ts'
import { treeLoss } from './losses.ts'
import { isInProject, isTemporary } from './protected-paths.ts'

/** Making one folder like another: what only the other has is deleted. */
export const syncDelete = shellGuard({
  id: 'safety/files/sync-delete',
  title: 'Deleting what the source does not have',
  why: 'One wrong or empty source folder, and everything in the target is deleted.',
  instead: 'look at what would go first (`rsync -an --delete dist/ /opt/site/`), or copy without deleting.',
  keywords: ['rsync', 'rclone', 'robocopy', 'lftp'],
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'rsync -a --delete src/ /',
      'rsync --delete source/ / --exclude pattern',
      'rsync -a --delete empty/ ~/',
      'rsync -a --del empty/ ~',
      'rsync -av --delete-after template/ .',
      'rsync -a --delete-excluded a/ /etc/',
      'rsync -a --delete a/ /home/',
      'rsync -a --delete dist/ /opt/site/',
      'rsync -a --delete dist/ ../other/',
      'rsync -az --delete dist/ web@example.com:/srv/site/',
      'rsync -a --delete a/ "$TARGET"',
      'rclone sync empty ~/Documents',
      'rclone sync ./a store:bucket',
      'rclone purge store:bucket',
      'rclone delete store:bucket/logs',
      'robocopy empty .. /MIR',
      "lftp -e 'mirror -R --delete empty /var/www; quit' example.com",
      'rsync -a --delete src/ / "',
    ],
    passes: [
      'rsync -a src/ dist/',
      'rsync -a --delete src/ dist/',
      'rsync -a --delete src/ /tmp/copy/',
      'rsync -an --delete src/ /',
      'rsync --dry-run --delete src/ ~/',
      'rsync -av src/ web@example.com:/srv/site/',
      'rsync --help',
      'rclone ls store:bucket',
      'rclone copy ./a store:bucket',
      'rclone sync --dry-run ./a store:bucket',
      'rclone sync store:bucket ./cache',
      'robocopy a b /E',
      "lftp -e 'mirror -R site /var/www; quit' example.com",
      "echo 'rsync --delete a/ /'",
    ],
  },
  mentions: /--del|rclone|\/MIR\b/,
  maybe: 'may delete what a source does not have',
  looks: [
    look(syncDeletions, judge),
    look(actsIn(['files/sync-delete-remote']), (found, { facts }) =>
      caughtEffect(found, found.effect.what, facts.home),
    ),
  ],
})

function syncDeletions(event: Event, facts: Facts): readonly Deletion[] {
  return deletionsAmong(shellEffects(event, facts), facts).filter(isSync)
}

function judge(deletion: Deletion, { facts }: GuardInput): Caught | null {
  const { targets, ground } = deletion
  return strongest(targets, (target) => {
    const loss = treeLoss(target, ground)
    if (loss !== undefined) {
      return caughtDeletion(
        deletion,
        `deletes what the source does not have from ${loss.what}`,
        loss.unsure,
        facts.home,
      )
    }
    const outside = target.paths.find((path) => !isInProject(path, ground) && !isTemporary(path, ground))
    if (outside === undefined) return null
    const caught = `deletes what the source does not have from ${outside}`
    return caughtDeletion(deletion, caught, 'what is there and not in the source is not known', facts.home)
  })
}
