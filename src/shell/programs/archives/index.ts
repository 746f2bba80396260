import type { ProgramTable } from '../program.ts'
import { BACKUPS } from './backups.ts'
import { COMPRESSORS, PACKERS } from './packers.ts'
import { rclone, robocopy } from './rclone.ts'
import { rsync } from './rsync.ts'
import { bsdtar, tar } from './tar.ts'
import { SEVEN, unzip, zip } from './zip.ts'

/** Archives, backups, and programs that make one folder like another. */
export const ARCHIVES: ProgramTable = {
  ...tar,
  ...bsdtar,
  ...zip,
  ...unzip,
  ...SEVEN,
  ...PACKERS,
  ...COMPRESSORS,
  ...rsync,
  ...rclone,
  ...robocopy,
  ...BACKUPS,
}
