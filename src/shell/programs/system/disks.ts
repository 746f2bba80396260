import { wordList } from '../../../core/word-list.ts'
import { isSet, readOptions } from '../../arguments/options.ts'
import type { ActEffect, ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, hasUnknown, type Word } from '../../words/words.ts'
import { afterKey } from '../files/dd.ts'
import { writes } from '../files/writing.ts'
import type { Program, ProgramCall, ProgramTable } from '../program.ts'
import { ERASE, FORMAT, MAKE_DEVICE, MOUNT, PARTITION, REMOVE_VOLUME } from './disk-acts.ts'

/**
 * The act, where one of the words is a device: certain for one written out, a doubt for one known only at run time,
 * none where all are files (an image, a loop file).
 */
function onDevice(what: ActEffect, words: readonly Word[]): readonly ActEffect[] {
  if (words.some(isDevice)) return [what]
  const open = words.find((word) => word.forms.some((form) => hasUnknown(form)))
  return open === undefined ? [] : [{ ...what, unsure: `${open.source} is known only at run time` }]
}

function isDevice(word: Word): boolean {
  return word.forms.some((form) => {
    const [first] = form
    return (
      first?.kind === 'text' &&
      /^(\/dev\/(?!null$|zero$|std|fd\/)|(PART)?(LABEL|UUID)=|disk\d|[A-Za-z]:)/.test(first.text)
    )
  })
}

const textsOf = ({ command }: ProgramCall): readonly string[] =>
  command.args.map((word) => exactText(word) ?? '')
const lineOf = ({ command }: ProgramCall): string =>
  command.args.map((word) => exactText(word) ?? '$').join(' ')

/** mkfs and its kin; `tries`: the option with which it only says what it would do. */
function formatting(tries?: (words: readonly string[]) => boolean): NonNullable<Program['does']> {
  return (call) => {
    const { args, cwd } = call.command
    const words = textsOf(call)
    if (tries?.(words) === true || words.some((word) => word === '--help' || word === '--version')) return []
    const acts = onDevice(FORMAT, args)
    const target = args.at(-1)
    if (acts.length > 0 || target === undefined || /^-/.test(exactText(target) ?? '')) return acts
    return writes(target, cwd)
  }
}

const extTries = (words: readonly string[]): boolean => words.some((word) => /^-[a-zA-Z]*n/.test(word))
const MAKERS = 'btrfs vfat fat msdos exfat ntfs f2fs jfs'

const FORMATTERS: ProgramTable = {
  'mkfs.ext2 mkfs.ext3 mkfs.ext4 mke2fs': { does: formatting(extTries) },
  mkfs: { does: formatting((words) => words.some((word) => /ext[234]/.test(word)) && extTries(words)) },
  'mkfs.xfs': { does: formatting((words) => words.includes('-N')) },
  [wordList(MAKERS)
    .map((kind) => `mkfs.${kind}`)
    .join(' ')]: { does: formatting() },
  'mkdosfs mkntfs mkswap newfs newfs_apfs newfs_hfs newfs_msdos': { does: formatting() },
}

/** A program whose one option turns reading into destroying. */
function byOption(what: ActEffect, destroys: RegExp, tries?: RegExp): Program {
  return {
    does: (call) => {
      const words = textsOf(call)
      if (!words.some((word) => destroys.test(word)) || words.some((word) => tries?.test(word) === true))
        return []
      return onDevice(what, call.command.args)
    },
  }
}

const isNoOption = (word: Word): boolean => !/^-/.test(exactText(word) ?? '')

/** An editor of partitions changes what is on the disk unless it is told only to show it. */
function editing(what: ActEffect, shows: RegExp, changes?: RegExp): Program {
  return {
    does: (call) => {
      const words = textsOf(call)
      const onlyShows =
        words.some((word) => shows.test(word)) && !words.some((word) => changes?.test(word) === true)
      return onlyShows ? [] : onDevice(what, call.command.args.filter(isNoOption))
    },
  }
}

const PARTITIONS: ProgramTable = {
  wipefs: byOption(ERASE, /^(-[a-zA-Z]*[ao]|--(a|o)\w*)/, /^(-[a-zA-Z]*n|--no-act)/),
  'debugfs badblocks': byOption(ERASE, /^-[a-zA-Z]*w/),
  // To a size, to the least there is, or to as much as there is: only the last is harmless, and needs no word.
  resize2fs: byOption(PARTITION, /^(-M|\d+[sKMGT]?)$/, /^-P$/),
  tune2fs: byOption(PARTITION, /^(-O|-f|-I|-Q|-[a-zA-Z]*O\S*)$|^-O/),
  sgdisk: byOption(
    PARTITION,
    /^(-[a-zA-Z]*[zZodngGlRmstcu]|--(zap|clear|delete|new|mbrtogpt|load|replicate|sort|transpose|largest))/,
    /^(-[a-zA-Z]*P|--pretend|-s$|--version)/,
  ),
  fdisk: editing(PARTITION, /^(-[a-zA-Z]*[lsx]|--list\S*|--getsz|--help|--version|-V|-h)$/),
  cfdisk: editing(PARTITION, /^(--help|--version|-V|-h|-r|--read-only)$/),
  gdisk: editing(PARTITION, /^-l$/),
  sfdisk: editing(
    PARTITION,
    /^(-[lLdJnVsgFx]+|--(list|dump|json|no-act|verify|show\S*|list-free|list-types|help|version)\S*)$/,
  ),
  parted: editing(
    PARTITION,
    /^(-l|--list|print|unit|help|align-check|-h|--help|-v|--version)$/,
    /^(mk\w+|rm|resize\w*|move|cp|rescue|name|set|toggle|disk_\w+)$/,
  ),
  blkdiscard: editing(ERASE, /^(--help|--version|-V|-h)$/),
}

const LVM = `
  t|test f|force y|yes n A|autobackup= config= S|select= v|verbose q|quiet help h version L|size= l|extents=
  r|resizefs
`
const LVM_VERBS = /^(lvremove|vgremove|pvremove|lvreduce)$/

function volumeRemoved(args: readonly Word[]): readonly ShellEffect[] {
  const read = readOptions(args, LVM)
  const inert = ['test', 'help', 'h', 'version'].some((name) => isSet(read, name))
  return inert || read.operands.length === 0 ? [] : [REMOVE_VOLUME]
}

/** A verb that destroys, and options that only try. */
function byVerb(what: ActEffect, destroys: RegExp, tries?: RegExp): Program {
  return {
    does: (call) => {
      // What is not known cannot make a verb; it may be the volume.
      const line = lineOf(call)
      if (!destroys.test(line) || tries?.test(line) === true || /(^| )(--help|-h)$/.test(line)) return []
      return [what === REMOVE_VOLUME && /^(luksFormat|format)|luksFormat/.test(line) ? FORMAT : what]
    },
  }
}

const DISKUTIL_ERASES =
  /^(erase\w+|partitionDisk|reformat|secureErase|zeroDisk|randomDisk|(ap(fs)?|cs|corestorage|appleRAID|ar) (delete|erase)\w*|resetFusion)\b/i
const DISKUTIL_DIVIDES =
  /^(resizeVolume|mergePartitions|splitPartition|addPartition|(ap(fs)?|cs|corestorage) resize\w*|ap(fs)? createContainer|(appleRAID|ar) create)\b(?!.* limits$)/i

const VOLUMES: ProgramTable = {
  'lvremove vgremove pvremove lvreduce': { does: ({ command }) => volumeRemoved(command.args) },
  lvm: {
    does: ({ command }) => {
      const [verb, ...rest] = command.args
      return LVM_VERBS.test(exactText(verb) ?? '') ? volumeRemoved(rest) : []
    },
  },
  zpool: byVerb(REMOVE_VOLUME, /^(destroy|labelclear)\b|^create .*-f/, /(^| )-n\b/),
  zfs: byVerb(REMOVE_VOLUME, /^(destroy|rollback .*-[rR])\b/, /(^| )(-[a-zA-Z]*n[a-zA-Z]*|--dryrun)( |$)/),
  btrfs: byVerb(REMOVE_VOLUME, /^(su\w* d\w*|device (delete|remove)|filesystem resize)\b/),
  cryptsetup: byVerb(
    REMOVE_VOLUME,
    /^(-\S+ )*(luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey)\b/,
    /--test-args|--help/,
  ),
  nvme: byVerb(REMOVE_VOLUME, /^(format|sanitize|write|write-zeroes|write-uncor|delete-ns|security-send)\b/),
  diskutil: {
    does: (call) => {
      const line = lineOf(call).replace(/^quiet /i, '')
      if (DISKUTIL_ERASES.test(line)) return [ERASE]
      return DISKUTIL_DIVIDES.test(line) ? [PARTITION] : []
    },
  },
  // The one copies a whole volume onto another, the other divides a disk.
  asr: {
    does: (call) => {
      const line = lineOf(call)
      if (/^partition /.test(line)) return [PARTITION]
      return /(^| )--?target /.test(line) && !/^(imagescan|info|help) /.test(line) ? [ERASE] : []
    },
  },
  gpt: {
    does: (call) =>
      /(^| )(destroy|create|add|remove|recover|migrate|boot|label) /.test(lineOf(call))
        ? onDevice(PARTITION, call.command.args)
        : [],
  },
  hdiutil: byVerb(ERASE, /^(erasekeys|burn .*-(full)?erase)\b/),
  mdadm: byVerb(REMOVE_VOLUME, /(^| )(--zero-superblock|--create|-C)\b/),
  dmsetup: byVerb(REMOVE_VOLUME, /^(remove|remove_all|wipe_table)\b/),
  hdparm: byVerb(
    ERASE,
    /--(security-erase\S*|write-sector|make-bad-sector|trim-sector-ranges\S*|dco-restore|sanitize-\w+)/,
  ),
  bcachefs: byVerb(REMOVE_VOLUME, /^(format|device remove)\b/),
}

const REMOUNTS = /(^| )(--r?bind|-B|-R|--move|-M)( |$)|(^|[ ,=o])(remount|r?bind)([ ,]|$)/

/** Disks, partitions, volumes and file systems as a whole. */
export const DISKS: ProgramTable = {
  ...FORMATTERS,
  ...PARTITIONS,
  ...VOLUMES,
  // ddrescue and dcfldd write what `dd` writes.
  ddrescue: {
    does: ({ command: { args, cwd } }) => {
      const [, target] = args.filter(isNoOption)
      return target === undefined ? [] : writes(target, cwd)
    },
  },
  'dcfldd dc3dd': {
    does: ({ command: { args, cwd } }) =>
      args.flatMap((word) => {
        const forms = exactText(word) === undefined ? [] : word.forms.flatMap((form) => afterKey(form, 'of='))
        return forms.length === 0 ? [] : writes({ ...word, forms }, cwd)
      }),
  },
  diskpart: { does: () => [PARTITION] },
  'format sg_format sg_sanitize': { does: ({ command }) => onDevice(FORMAT, command.args) },
  // Mounted again with other rights, or one tree over another.
  mount: { does: (call) => (REMOUNTS.test(lineOf(call)) ? [MOUNT] : []), files: { ownLetters: true } },
  // `mknod x b 8 0`: a block device of one's own.
  mknod: { does: (call) => (textsOf(call).includes('b') ? [MAKE_DEVICE] : []), makesPipe: true },
  mkfifo: { makesPipe: true },
  'umount lsblk': { files: { ownLetters: true } },
}
