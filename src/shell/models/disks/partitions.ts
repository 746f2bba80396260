import { namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { onDevice } from './targets.ts'

/** mkfs and its kin. Only the ext ones can be asked what they would do (`-n`); for others it is a name. */
export function formatEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const words = command.args.map((word) => exactText(word) ?? '')
  const isExt = /ext|mke2fs/.test(name) || (name === 'mkfs' && words.some((word) => /ext[234]/.test(word)))
  if (isExt && words.some((word) => /^-[a-zA-Z]*n/.test(word))) return []
  if (name === 'mkfs.xfs' && words.includes('-N')) return []
  if (words.some((word) => word === '--help' || word === '--version')) return []
  const acts = onDevice('format', command.args)
  const target = command.args.at(-1)
  if (acts.length > 0 || target === undefined || /^-/.test(exactText(target) ?? '')) return acts
  return namedFiles(target, command.cwd).map((file): ShellEffect => ({ kind: 'write', ...file }))
}

/** Programs whose one option turns reading into destroying. */
const BY_OPTION: Readonly<Record<string, { readonly destroys: RegExp; readonly tries?: RegExp }>> = {
  wipefs: { destroys: /^(-[a-zA-Z]*[ao]|--(a|o)\w*)/, tries: /^(-[a-zA-Z]*n|--no-act)/ },
  debugfs: { destroys: /^-[a-zA-Z]*w/ },
  badblocks: { destroys: /^-[a-zA-Z]*w/ },
  // To a size, to the least there is, or to as much as there is: only the last is harmless, and needs no word.
  resize2fs: { destroys: /^(-M|\d+[sKMGT]?)$/, tries: /^-P$/ },
  tune2fs: { destroys: /^(-O|-f|-I|-Q|-[a-zA-Z]*O\S*)$|^-O/ },
  sgdisk: {
    destroys:
      /^(-[a-zA-Z]*[zZodngGlRmstcu]|--(zap|clear|delete|new|mbrtogpt|load|replicate|sort|transpose|largest))/,
    tries: /^(-[a-zA-Z]*P|--pretend|-s$|--version)/,
  },
}

export function optionEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const option = BY_OPTION[name]
  const words = command.args.map((word) => exactText(word) ?? '')
  if (option === undefined || !words.some((word) => option.destroys.test(word))) return []
  if (words.some((word) => option.tries?.test(word) === true)) return []
  return onDevice(/^(sgdisk|resize2fs|tune2fs)$/.test(name) ? 'partition' : 'erase', command.args)
}

/** Partition editors change what is on the disk unless they are told only to show it. */
const SHOWS: Readonly<Record<string, RegExp>> = {
  fdisk: /^(-[a-zA-Z]*[lsx]|--list\S*|--getsz|--help|--version|-V|-h)$/,
  cfdisk: /^(--help|--version|-V|-h|-r|--read-only)$/,
  gdisk: /^-l$/,
  sfdisk: /^(-[lLdJnVsgFx]+|--(list|dump|json|no-act|verify|show\S*|list-free|list-types|help|version)\S*)$/,
  parted: /^(-l|--list|print|unit|help|align-check|-h|--help|-v|--version)$/,
  blkdiscard: /^(--help|--version|-V|-h)$/,
}
const PARTED_CHANGES = /^(mk\w+|rm|resize\w*|move|cp|rescue|name|set|toggle|disk_\w+)$/

export function partitionEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const words = command.args.map((word) => exactText(word) ?? '')
  const shows = words.some((word) => SHOWS[name]?.test(word) === true)
  if (name === 'parted' ? shows && !words.some((word) => PARTED_CHANGES.test(word)) : shows) return []
  return onDevice(name === 'blkdiscard' ? 'erase' : 'partition', command.args.filter(isNoOption))
}

function isNoOption(word: Word): boolean {
  return !/^-/.test(exactText(word) ?? '')
}

/** ddrescue and dcfldd write what `dd` writes. */
export function imageEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  if (name === 'ddrescue') {
    const [, target] = command.args.filter(isNoOption)
    return target === undefined ? [] : written(target, command.cwd)
  }
  return command.args.flatMap((word) => {
    const text = exactText(word) ?? ''
    if (!text.startsWith('of=')) return []
    return written({ ...word, forms: [[{ kind: 'text', text: text.slice(3) }]] }, command.cwd)
  })
}

function written(word: Word, cwd: string | undefined): readonly ShellEffect[] {
  return namedFiles(word, cwd).map((file): ShellEffect => ({ kind: 'write', ...file }))
}
