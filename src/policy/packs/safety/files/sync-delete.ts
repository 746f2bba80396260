import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { caughtEffect, shellEffects } from '../../../analysis/effects-of.ts'
import { ofKinds } from '../../../analysis/topics.ts'
import { actsIn, detector, onTopics, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { caughtDeletion, type Deletion, deletionsAmong, isSync } from './deletions-in.ts'
import { treeLoss } from './losses.ts'
import { isInProject, isTemporary } from './protected-paths.ts'

/** Making one folder like another deletes the files that only the second one has. */
export const syncDelete = shellGuard({
  id: 'safety/files/sync-delete',
  title: 'Sync that deletes files in the target',
  why: 'If the source folder is wrong or empty, everything in the target is deleted.',
  instead:
    'check first what would be deleted (`rsync -an --delete dist/ /opt/site/`), or copy without deleting.',
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
  maybe: 'may delete files that the source does not have',
  detectors: [
    detector(onTopics([ofKinds('delete')], syncDeletions), judge),
    detector(actsIn(['files/sync-delete-remote']), (found, { facts }) =>
      caughtEffect(found, found.effect.what, facts.home),
    ),
  ],
})

function syncDeletions(event: Event, facts: Facts): readonly Deletion[] {
  return deletionsAmong(shellEffects(event, facts), facts).filter(isSync)
}

function judge(deletion: Deletion, { facts }: GuardInput): GuardMatch | null {
  const { targets, ground } = deletion
  return strongest(targets, (target) => {
    const loss = treeLoss(target, ground)
    if (loss !== undefined) {
      return caughtDeletion(
        deletion,
        `deletes files that the source does not have from ${loss.what}`,
        loss.unsure,
        facts.home,
      )
    }
    const outside = target.paths.find((path) => !isInProject(path, ground) && !isTemporary(path, ground))
    if (outside === undefined) return null
    const caught = `deletes files that the source does not have from ${outside}`
    return caughtDeletion(deletion, caught, 'which files those are is not known', facts.home)
  })
}
