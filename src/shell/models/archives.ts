import { eachWord } from '../../core/word-list.ts'
import { BACKUP_PROGRAMS, backupEffects } from './archives/backups.ts'
import { rcloneEffects, robocopyEffects } from './archives/mirrors.ts'
import { cpioEffects, packageUnpacked, packedInPlace, paxEffects } from './archives/packers.ts'
import { rsyncEffects } from './archives/sync.ts'
import { tarEffects } from './archives/tar.ts'
import { sevenEffects, unzipEffects, zipEffects } from './archives/zips.ts'
import type { Model, ModelCall } from './model.ts'

type Reader = (call: ModelCall) => ReturnType<Model['effects']>

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...eachWord('tar bsdtar gtar', tarEffects),
  ...eachWord('7z 7za 7zz unrar', sevenEffects),
  ...eachWord('gzip gunzip bzip2 bunzip2 xz unxz zstd', packedInPlace),
  ...BACKUP_PROGRAMS.map((name) => [name, backupEffects] as const),
  ['pax', paxEffects],
  ['unsquashfs', packageUnpacked],
  ['ar', packageUnpacked],
  ['unzip', unzipEffects],
  ['zip', zipEffects],
  ['cpio', cpioEffects],
  ['rsync', rsyncEffects],
  ['rclone', rcloneEffects],
  ['robocopy', robocopyEffects],
])

/** Archives, and programs that make one folder like another. */
export const archives: Model = {
  programs: [...READERS.keys()],
  effects: (call) => READERS.get(call.name)?.(call) ?? [],
}

export { cases } from './archives/cases.ts'
