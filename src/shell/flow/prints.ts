import { wordSet } from '../../core/word-list.ts'
import { credentialPrinted } from '../credential-printers.ts'
import { DATA_ONLY, METADATA_ONLY } from '../file-programs.ts'
import { asksWithoutShowing } from '../file-uses.ts'
import { fileEffects } from '../files/file-effects.ts'
import { printsEnvironment } from '../variables-shown.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileName, namedFiles } from '../vocabulary/effect.ts'
import { exactText } from '../words/words.ts'
import { WRAPPERS } from '../wrappers.ts'
import { codeSourceOf } from './code-source.ts'
import { contentsOf, type DataOrigin, type FlowState, together } from './flow-state.ts'
import { wordOrigins } from './text.ts'

/** What a command writes to standard output. A program nobody knows passes on whatever it is given. */
export function outputOrigins(
  command: SimpleCommand,
  input: readonly DataOrigin[],
  scene: FlowState,
): readonly DataOrigin[] {
  const name = command.name ?? ''
  const credential = credentialPrinted(command)
  if (credential !== undefined) return [{ kind: 'credential', what: credential }]
  if (printsEnvironment(command)) return [{ kind: 'environment' }]
  if (DUMPERS.test(name)) return [{ kind: 'dump', what: `what ${name} takes out of a database` }]
  const words = wordOrigins(command.args, command, scene)
  if (name === '') return input
  if (DATA_ONLY.has(name)) return /^(?:echo|printf|say|logger)$/.test(name) ? words : []
  if (WRAPPERS.has(name) || METADATA_ONLY.has(name) || asksWithoutShowing(name, command.args)) return []
  const network = (scene.effects.get(command) ?? []).flatMap((effect): DataOrigin[] =>
    effect.kind === 'net' && effect.direction === 'in' && effect.file === undefined
      ? [{ kind: 'network', host: effect.host }]
      : [],
  )
  if (network.length > 0) return network
  if (codeSourceOf(command)?.from === 'input') return []
  const decoded: readonly DataOrigin[] = decodes(command) ? [{ kind: 'decoded' }] : []
  const passed = PASSES_ON.has(name) ? input : input.filter((origin) => origin.kind !== 'credential')
  return together(passed, words, readOrigins(command, scene), decoded)
}

const DUMPERS = /^(?:mysqldump|mariadb-dump|pg_dump|pg_dumpall|mongodump|mongoexport)$/

/** `base64 -d` and its like: what comes out was not meant to be read on the way in. */
export function decodes({ name, args }: SimpleCommand): boolean {
  if (name === undefined || !DECODERS.has(name)) return false
  const words = args.map((word) => exactText(word) ?? '')
  switch (name) {
    case 'base64':
    case 'base32':
    case 'basenc':
      return words.some((word) => /^(?:-[a-zA-Z]*[dD]|--decode)/.test(word))
    case 'xxd':
      return words.some((word) => /^-[a-z]*r/.test(word))
    case 'openssl':
      return words.includes('-d') && /^(?:enc|base64|aes|des|bf)/.test(words[0] ?? '')
    case 'uudecode':
      return true
    default:
      return false
  }
}

const DECODERS: ReadonlySet<string> = new Set(['base64', 'base32', 'basenc', 'xxd', 'openssl', 'uudecode'])

/** What the command reads from files: of a folder, everything below it where it packs it. */
export function readOrigins(command: SimpleCommand, scene: FlowState): readonly DataOrigin[] {
  const deep = packs(command)
  const read = fileEffects(command, scene.home).filter(
    (effect) => effect.kind === 'read' && effect.loaded !== true,
  )
  const whole = packsHistory(command) ? [wholeFolder(command)] : []
  return together(
    ...[...read, ...whole].map((file) => contentsOf(file, scene, deep)),
    ...listed(command, scene),
  )
}

/** Programs that put folders with everything in them into one file or stream. */
const PACKERS = wordSet('tar bsdtar gtar zip 7z 7za 7zr rar cpio pax ar restic borg')

function packs(command: SimpleCommand): boolean {
  return PACKERS.has(command.name ?? '') || packsHistory(command)
}

/** `git bundle create - --all`, `git archive HEAD`: everything that is in version control. */
function packsHistory({ name, args }: SimpleCommand): boolean {
  if (name !== 'git') return false
  const words = args.map((word) => exactText(word) ?? '')
  const bundles = words.includes('bundle') && words.includes('create')
  return bundles || (words.includes('archive') && !words.some((word) => /^(-o|--output|--remote)/.test(word)))
}

function wholeFolder({ cwd }: SimpleCommand): FileName {
  return { form: [{ kind: 'text', text: '.' }], source: '.', cwd }
}

/** File names given to a packer on standard input: `printf '%s\n' a b | zip x -@`. */
function listed(command: SimpleCommand, scene: FlowState): readonly (readonly DataOrigin[])[] {
  const takesNames =
    command.name === 'cpio' ||
    command.args.some((word) => /^(-@|-T|-T-|--files-from(=-)?|-)$/.test(word.source))
  if (!packs(command) || !takesNames) return []
  const names = (command.inputs ?? []).filter((each) => each.name === 'echo' || each.name === 'printf')
  return names.flatMap((each) =>
    each.args
      .flatMap((word): FileName[] => [...namedFiles(word, each.cwd)])
      .map((file) => contentsOf(file, scene, true)),
  )
}

/** Programs whose output is their input, whole or in part. Others take a credential to use it. */
const PASSES_ON = wordSet(`
  cat tee head tail less more bat tac rev nl fold fmt column sort uniq grep egrep rg sed awk gawk tr cut jq yq
  base64 base32 xxd od hexdump strings gzip gunzip zcat xz openssl python3 python iconv paste split dd
`)
