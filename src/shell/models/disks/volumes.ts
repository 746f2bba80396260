import { isSet, optionTable, readOptions } from '../../arguments/options.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { diskAct, onDevice } from './targets.ts'

const LVM = optionTable(`
  t|test f|force y|yes n A|autobackup= config= S|select= v|verbose q|quiet help h version L|size= l|extents=
  r|resizefs
`)

/** lvremove, vgremove, pvremove, lvreduce; and the same after `lvm`. */
export function lvmEffects(call: ModelCall): readonly ShellEffect[] {
  const { args } = call.command
  const [verb, ...rest] = call.name === 'lvm' ? args : [undefined, ...args]
  if (call.name === 'lvm' && !/^(lvremove|vgremove|pvremove|lvreduce)$/.test(exactText(verb) ?? '')) return []
  const read = readOptions(rest.filter(isWord), LVM)
  const inert = ['test', 'help', 'h', 'version'].some((name) => isSet(read, name))
  return inert || read.operands.length === 0 ? [] : [diskAct('remove-volume')]
}

function isWord(word: Word | undefined): word is Word {
  return word !== undefined
}

/** zpool, zfs, btrfs, cryptsetup, nvme, diskutil and others: a verb that destroys, and options that only try. */
interface Verbs {
  readonly destroys: RegExp
  readonly tries?: RegExp
}

const BY_VERB: Readonly<Record<string, Verbs>> = {
  zpool: { destroys: /^(destroy|labelclear)\b|^create .*-f/, tries: /(^| )-n\b/ },
  zfs: { destroys: /^(destroy|rollback .*-[rR])\b/, tries: /(^| )(-[a-zA-Z]*n[a-zA-Z]*|--dryrun)( |$)/ },
  btrfs: { destroys: /^(su\w* d\w*|device (delete|remove)|filesystem resize)\b/ },
  cryptsetup: {
    destroys: /^(-\S+ )*(luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey)\b/,
    tries: /--test-args|--help/,
  },
  nvme: { destroys: /^(format|sanitize|write|write-zeroes|write-uncor|delete-ns|security-send)\b/ },
  diskutil: {
    destroys:
      /^(quiet )?(erase\w+|partitionDisk|reformat|secureErase|zeroDisk|randomDisk|(ap(fs)?|cs|corestorage) (delete|erase)\w*)\b/i,
  },
  mdadm: { destroys: /(^| )(--zero-superblock|--create|-C)\b/ },
  dmsetup: { destroys: /^(remove|remove_all|wipe_table)\b/ },
  hdparm: {
    destroys:
      /--(security-erase\S*|write-sector|make-bad-sector|trim-sector-ranges\S*|dco-restore|sanitize-\w+)/,
  },
  bcachefs: { destroys: /^(format|device remove)\b/ },
}

/** Windows: the copies from which files can be brought back. */
const SNAPSHOTS: Readonly<Record<string, RegExp>> = {
  vssadmin: /^(delete shadows|resize shadowstorage)\b/i,
  wmic: /^shadowcopy\b.*\bdelete\b/i,
  wbadmin: /^delete\b/i,
}

export const SNAPSHOT_PROGRAMS = Object.keys(SNAPSHOTS)

export function snapshotEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const line = command.args.map((word) => exactText(word) ?? '$').join(' ')
  return SNAPSHOTS[name]?.test(line) === true ? [diskAct('remove-volume')] : []
}

export const VERB_PROGRAMS = Object.keys(BY_VERB)

export function volumeEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const verbs = BY_VERB[name]
  // What is not known cannot make a verb; it may be the volume.
  const line = command.args.map((word) => exactText(word) ?? '$').join(' ')
  if (verbs === undefined || !verbs.destroys.test(line) || verbs.tries?.test(line) === true) return []
  if (/(^| )(--help|-h)$/.test(line)) return []
  const act = /^(luksFormat|format)|luksFormat/.test(line) ? 'format' : 'remove-volume'
  return [diskAct(name === 'hdparm' || name === 'diskutil' ? 'erase' : act)]
}

/** mount again with other rights, or one tree over another. */
export function mountEffects({ command }: ModelCall): readonly ShellEffect[] {
  const line = command.args.map((word) => exactText(word) ?? '$').join(' ')
  return /(^| )(--r?bind|-B|-R|--move|-M)( |$)|(^|[ ,=o])(remount|r?bind)([ ,]|$)/.test(line)
    ? [diskAct('mount')]
    : []
}

/** `mknod x b 8 0`: a block device of one's own. */
export function nodeEffects({ command }: ModelCall): readonly ShellEffect[] {
  return command.args.some((word) => exactText(word) === 'b') ? [diskAct('make-device')] : []
}

/** sg_format, sg_sanitize, diskpart, `format C:`. */
export function wholeDisk({ name, command }: ModelCall): readonly ShellEffect[] {
  if (name === 'diskpart') return [diskAct('partition')]
  return onDevice('format', command.args)
}
