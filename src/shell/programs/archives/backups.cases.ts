import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['snapper delete 3', 'system-change system/protection'],
  ['timeshift --delete-all', 'system-change system/protection'],
  ['restic forget --keep-last 1 --prune', 'data-destroy files/delete-backups'],
  ['restic forget --dry-run --keep-last 1'],
  ['restic snapshots'],
  ['borg delete /backups/repo', 'data-destroy files/delete-backups'],
  ['borg list /backups/repo'],
  ['rdiff-backup --force --remove-older-than 1D /backups', 'data-destroy files/delete-backups'],
  ['duplicity collection-status file:///backups'],
  ['kopia snapshot list'],
  ['tmutil deletelocalsnapshots /', 'data-destroy files/delete-backups', 'system-change system/protection'],
  ['tmutil listbackups'],
  ['unison -force a a b -batch', 'data-destroy files/delete-backups'],
  ['unison a b'],
  ['pgbackrest --stanza=main stanza-delete', 'data-destroy files/delete-backups'],
  ['pgbackrest info'],
]
