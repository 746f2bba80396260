import { eachWord, wordList } from '../../core/word-list.ts'
import { formatEffects, imageEffects, optionEffects, partitionEffects } from './disks/partitions.ts'
import {
  lvmEffects,
  mountEffects,
  nodeEffects,
  SNAPSHOT_PROGRAMS,
  snapshotEffects,
  VERB_PROGRAMS,
  volumeEffects,
  wholeDisk,
} from './disks/volumes.ts'
import type { Model, ModelCall } from './model.ts'

type Reader = (call: ModelCall) => ReturnType<Model['effects']>

const MAKERS = [
  ...wordList('ext2 ext3 ext4 xfs btrfs vfat fat msdos exfat ntfs f2fs jfs').map((kind) => `mkfs.${kind}`),
  ...wordList('mkfs mke2fs mkdosfs mkntfs mkswap newfs newfs_apfs newfs_hfs newfs_msdos'),
]

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...MAKERS.map((name) => [name, formatEffects] as const),
  ...eachWord('wipefs badblocks debugfs sgdisk resize2fs tune2fs', optionEffects),
  ...eachWord('fdisk cfdisk gdisk sfdisk parted blkdiscard', partitionEffects),
  ...eachWord('lvremove vgremove pvremove lvreduce lvm', lvmEffects),
  ...VERB_PROGRAMS.map((name) => [name, volumeEffects] as const),
  ...eachWord('ddrescue dcfldd dc3dd', imageEffects),
  ...eachWord('diskpart format sg_format sg_sanitize', wholeDisk),
  ...SNAPSHOT_PROGRAMS.map((name) => [name, snapshotEffects] as const),
  ['mount', mountEffects],
  ['mknod', nodeEffects],
])

/** Disks, partitions, volumes and file systems as a whole. */
export const disks: Model = {
  programs: [...READERS.keys()],
  effects: (call) => READERS.get(call.name)?.(call) ?? [],
}

export { cases } from './disks/cases.ts'
