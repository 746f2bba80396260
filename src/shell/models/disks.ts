import { formatEffects, imageEffects, optionEffects, partitionEffects } from './disks/partitions.ts'
import {
  lvmEffects,
  mountEffects,
  nodeEffects,
  SNAPSHOT_PROGRAMS,
  snapshotEffects,
  VERB_PROGRAMS,
  verbEffects,
  wholeDisk,
} from './disks/volumes.ts'
import type { Model, ModelCall } from './model.ts'

type Reader = (call: ModelCall) => ReturnType<Model['effects']>

const MAKERS = [
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'vfat', 'fat', 'msdos', 'exfat', 'ntfs', 'f2fs', 'jfs'].map(
    (kind) => `mkfs.${kind}`,
  ),
  ...['mkfs', 'mke2fs', 'mkdosfs', 'mkntfs', 'mkswap', 'newfs', 'newfs_apfs', 'newfs_hfs', 'newfs_msdos'],
]

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...MAKERS.map((name) => [name, formatEffects] as const),
  ...['wipefs', 'badblocks', 'debugfs', 'sgdisk', 'resize2fs', 'tune2fs'].map(
    (name) => [name, optionEffects] as const,
  ),
  ...['fdisk', 'cfdisk', 'gdisk', 'sfdisk', 'parted', 'blkdiscard'].map(
    (name) => [name, partitionEffects] as const,
  ),
  ...['lvremove', 'vgremove', 'pvremove', 'lvreduce', 'lvm'].map((name) => [name, lvmEffects] as const),
  ...VERB_PROGRAMS.map((name) => [name, verbEffects] as const),
  ...['ddrescue', 'dcfldd', 'dc3dd'].map((name) => [name, imageEffects] as const),
  ...['diskpart', 'format', 'sg_format', 'sg_sanitize'].map((name) => [name, wholeDisk] as const),
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
