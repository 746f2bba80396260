import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  [
    'rclone sync ./a store:bucket',
    'remote-mutate files/sync-delete-remote ?',
    'net out store:bucket /srv/project/a recursive',
  ],
  ['rclone sync store:bucket ./a', 'delete /srv/project/a recursive narrowed'],
  ['rclone purge store:bucket', 'remote-mutate files/sync-delete-remote'],
  ['rclone delete ./a', 'delete /srv/project/a recursive'],
  ['rclone --dry-run purge store:bucket'],
  [
    'rclone move ./a store:bucket',
    'delete /srv/project/a recursive',
    'net out store:bucket /srv/project/a recursive',
  ],
  ['rclone ls store:bucket'],
  ['rclone copy a store:bucket', 'net out store:bucket /srv/project/a recursive'],
  ['robocopy a b /MIR', 'delete /srv/project/b recursive narrowed'],
  ['robocopy a b /MIR /L'],
  ['robocopy a b /E'],
  ["robocopy 'C:\\a' 'C:\\b' /MIR", 'delete /C:\\b recursive narrowed'],
]
