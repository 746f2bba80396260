import { actGuard } from '../../act-guard.ts'

export const deleteBackups = actGuard({
  id: 'safety/files/delete-backups',
  title: 'Deleting backups',
  why: 'Backups are needed after a mistake. Once they are deleted, the next mistake cannot be undone.',
  instead:
    'list the backups (`restic snapshots`) and what would be deleted (`restic forget --dry-run --keep-last 7`), and let the user decide.',
  acts: ['files/delete-backups'],
  mentions: /\b(restic|borg|rdiff-backup|duplicity|kopia|tmutil)\b/,
  maybe: 'may delete backups',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'restic forget --keep-last 1 --prune',
      'restic -r /backups prune',
      'borg delete /backups/repo',
      'borg prune --keep-daily 7 /backups/repo',
      'rdiff-backup --force --remove-older-than 1D /backups',
      'duplicity remove-all-but-n-full 1 --force file:///backups',
      'kopia snapshot delete abc --delete',
      'tmutil delete /Volumes/Backup/2024',
      'unison -batch -force /tmp/empty /tmp/empty docs',
    ],
    passes: [
      'restic snapshots',
      'restic backup src',
      'restic forget --dry-run --keep-last 1',
      'restic forget -n --keep-last 1',
      'borg list /backups/repo',
      'borg create /backups/repo::now src',
      'kopia snapshot list',
      'tmutil listbackups',
      'duplicity --help',
      'echo restic prune',
    ],
  },
})
