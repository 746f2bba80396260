import { isSet, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { codeRun, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import { type PathContext, resolvePath } from '../../words/paths.ts'
import { exactText, exactWord, textPiece, type Word } from '../../words/words.ts'
import { reached } from '../files/reached.ts'
import { remoteHost, sending } from '../network/net.ts'
import { type ProgramCall, program } from '../program.ts'
import { ABSOLUTE } from './acts.ts'

const TAR = `
  c|create x|get|extract t|list r|append u|update A|catenate|concatenate d|compare|diff delete f|file=
  C|cd|directory= T|files-from= X|exclude-from= exclude= g= b= H= listed-incremental= format=
  I|use-compress-program= to-command= transform|xform= s= K= strip-components|strip= owner= group= mode=
  mtime= N|newer|after-date= newer-mtime= F|info-script= L|tape-length= V|label= checkpoint=?
  checkpoint-action= one-top-level=? suffix= warning= sort= pax-option= rsh-command= rmt-command=
  blocking-factor= add-file= P|absolute-paths|absolute-names O|to-stdout remove-files overwrite force-local k
  U m keep-old-files recursive-unlink p|preserve-permissions v|verbose w|interactive help usage version z|gzip
  j|bzip2 J|xz a|auto-compress zstd lzma h|dereference S|sparse
`

const CODE = [
  'to-command',
  'use-compress-program',
  'checkpoint-action',
  'rsh-command',
  'info-script',
] as const

const shared = {
  does: packedOrUnpacked,
  starts: ({ args }: LaunchCall) => {
    const read = readOptions(args, TAR)
    const runs = CODE.flatMap((option) => valuesOf(read, option).flatMap((value) => optionRun(option, value)))
    return runs.length === 0 ? undefined : { own: args.length, runs }
  },
  packs: {},
  unpacks: true,
  keeps: { kind: 'packs', archive: (args: readonly Word[]) => archiveOf(readTar(args)) },
} as const

export const tar = program('tar', {
  ...shared,
  sends: archiveElsewhere,
  files: { operands: 'read', alsoIn: foldersNamed, showsKeys: true },
})
export const bsdtar = program('bsdtar', { ...shared })

/** What is unpacked where, what the archive replaces, what is deleted once it is packed. */
function packedOrUnpacked(call: ProgramCall): readonly ShellEffect[] {
  const { command } = call
  const read = readTar(command.args, command)
  if (['help', 'usage', 'version', 'list', 'diff'].some((name) => isSet(read, name))) return []
  if (isSet(read, 'extract')) return unpacked(read, call)
  const packs = ['create', 'append', 'update', 'concatenate', 'delete'].some((name) => isSet(read, name))
  if (!packs) return []
  const taken = isSet(read, 'remove-files')
    ? read.operands.flatMap((word) =>
        reached('delete', word, foldersOf(read, call).at(-1), { recursive: true }),
      )
    : []
  return [...packedInto(read, command), ...taken]
}

function readTar(args: readonly Word[], command?: SimpleCommand): ReadOptions {
  return readOptions([...environmentOptions(command), ...newStyle(args)], TAR)
}

function archiveOf(read: ReadOptions): Word | undefined {
  return valuesOf(read, 'file').at(-1)
}

function unpacked(read: ReadOptions, call: ProgramCall): readonly ShellEffect[] {
  if (isSet(read, 'to-stdout') || valuesOf(read, 'to-command').length > 0) return []
  const named = [...valuesOf(read, 'one-top-level'), ...valuesOf(read, 'directory')]
  const places = named.length === 0 ? [exactWord('.')] : named.slice(-1)
  const [base] = valuesOf(read, 'directory').length > 1 ? foldersOf(read, call) : [call.command.cwd]
  const made = places
    .flatMap((word) => namedFiles(word, base))
    .map((file): ShellEffect => ({ kind: 'write', ...file, recursive: true }))
  return isSet(read, 'absolute-names') ? [ABSOLUTE, ...made] : made
}

/** Each `-C` counts from the one before it; the folder before the last, and the last. */
function foldersOf(read: ReadOptions, { command, home }: ProgramCall): readonly (string | undefined)[] {
  let before = command.cwd
  let folder = command.cwd
  for (const word of valuesOf(read, 'directory')) {
    before = folder
    const text = exactText(word)
    folder = text === undefined ? undefined : resolvePath(text, { cwd: folder, home })
  }
  return [before, folder]
}

/** `tar -C folder …`: names after it count from there. */
function foldersNamed(args: readonly Word[], place: PathContext): readonly (string | undefined)[] {
  return valuesOf(readTar(args), 'directory').map((word) => {
    const text = exactText(word)
    return text === undefined ? undefined : resolvePath(text, place)
  })
}

/** An archive on another machine is not written here. */
function packedInto(read: ReadOptions, command: SimpleCommand): readonly ShellEffect[] {
  const archive = archiveOf(read)
  if (archive === undefined || exactText(archive) === '-') return []
  if (remoteHost(archive) !== undefined && !isSet(read, 'force-local')) return []
  return namedFiles(archive, command.cwd).map((file): ShellEffect => ({ kind: 'write', ...file }))
}

/** `tar -cf host:file …` writes the archive over there. */
function archiveElsewhere(command: SimpleCommand) {
  const read = readTar(command.args, command)
  const archive = archiveOf(read)
  const host = archive === undefined ? undefined : remoteHost(archive)
  if (host === undefined || isSet(read, 'force-local')) return []
  return read.operands
    .flatMap((word) => namedFiles(word, command.cwd))
    .map((file) => ({ ...sending(host.name, file, true), login: true }))
}

function environmentOptions(command: SimpleCommand | undefined): readonly Word[] {
  const given = command?.assignments.findLast((each) => each.name === 'TAR_OPTIONS')
  const text = exactText(given?.value)
  return text === undefined ? [] : text.split(/\s+/).filter(Boolean).slice(0, 64).map(exactWord)
}

const TAKES_VALUE = 'fCTXgbHIsKNFLV'

/** `tar xzf a.tgz`: the first word is options without a dash, and their values follow in order. */
function newStyle(args: readonly Word[]): readonly Word[] {
  const [first, ...rest] = args
  const letters = exactText(first) ?? ''
  if (first === undefined || !/^[A-Za-z]+$/.test(letters) || !/[cxtruAd]/.test(letters)) return args
  const values = [...letters].filter((letter) => TAKES_VALUE.includes(letter))
  const flags = [...letters].filter((letter) => !TAKES_VALUE.includes(letter)).join('')
  const paired = values.flatMap((letter, at) => [exactWord(`-${letter}`), ...rest.slice(at, at + 1)])
  return [...(flags === '' ? [] : [exactWord(`-${flags}`)]), ...paired, ...rest.slice(values.length)]
}

function optionRun(option: (typeof CODE)[number], value: Word): readonly StartedCommand[] {
  const text = exactText(value)
  // `tar --checkpoint-action=dot` prints; only `exec=…` runs.
  if (option === 'checkpoint-action') {
    return text?.startsWith('exec=') === true
      ? [codeRun(`tar --${option}`, [[textPiece(text.slice(5))]])]
      : []
  }
  const fed = option === 'to-command' ? { fed: true } : {}
  return [codeRun(`tar --${option}`, value.forms, { shell: 'child', ...fed })]
}
