import { eachWord } from '../../core/word-list.ts'
import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileName, namedFiles } from '../vocabulary/effect.ts'
import { baseName } from '../words/paths.ts'
import { exactText, exactWord, type Word } from '../words/words.ts'
import { outputChannels } from './channels.ts'
import { contentsOf, type DataOrigin, type FlowState, fileKey, together } from './flow-state.ts'
import { readOrigins } from './prints.ts'

/** Remembers what the command leaves in files: so that a copy, an archive or a download is known for what it is. */
export function rememberFiles(
  command: SimpleCommand,
  input: readonly DataOrigin[],
  output: readonly DataOrigin[],
  scene: FlowState,
): void {
  for (const { file } of outputChannels(command, scene)) {
    if (file !== undefined)
      put(file, appends(command) ? together(contentsKnown(file, scene), output) : output, scene)
  }
  for (const effect of scene.effects.get(command) ?? []) {
    if (effect.kind === 'net' && effect.direction === 'in' && effect.file !== undefined) {
      put(effect.file, [{ kind: 'network', host: effect.host }], scene)
    }
  }
  const keeps = KEEPERS.get(command.name ?? '')
  if (keeps !== undefined) keeps(command, input, scene)
  else keepWritten(command, input, scene)
}

function appends(command: SimpleCommand): boolean {
  return command.redirections.some((each) => each.operator.endsWith('>>'))
}

function contentsKnown(file: FileName, scene: FlowState): readonly DataOrigin[] {
  return scene.files.get(fileKey(file, scene.home)) ?? []
}

function put(file: FileName, origins: readonly DataOrigin[], scene: FlowState): void {
  const kept = origins.map((origin) => (origin.kind === 'network' ? { ...origin, file } : origin))
  scene.files.set(fileKey(file, scene.home), kept)
}

type Keeper = (command: SimpleCommand, input: readonly DataOrigin[], scene: FlowState) => void

/** A program that says what it writes has put there what it read. Added, not set: it may have left the rest alone. */
const keepWritten: Keeper = (command, input, scene) => {
  const written = (scene.effects.get(command) ?? []).filter((effect) => effect.kind === 'write')
  if (written.length === 0 || command.redirections.length > 0) return
  const origins = together(input, readOrigins(command, scene))
  for (const effect of written) {
    if ('form' in effect) put(effect, together(contentsKnown(effect, scene), origins), scene)
  }
}

const COPY = optionTable('t|target-directory= S|suffix= m|mode= o|owner= g|group= s|symbolic')

/** cp, mv, ln, install: the last operand, or a file of the same name in it, is what the first one was. */
const copy: Keeper = (command, _input, scene) => {
  const read = readOptions(command.args, COPY)
  const folder = valuesOf(read, 'target-directory')[0]
  const to = folder ?? read.operands.at(-1)
  const from = folder === undefined ? read.operands.slice(0, -1) : read.operands
  if (to === undefined) return
  for (const word of from) {
    for (const file of namedFiles(word, command.cwd)) {
      const contents = contentsOf(file, scene, true)
      for (const place of placesIn(to, file, command.cwd)) put(place, contents, scene)
      if (command.name === 'mv') put(file, [], scene)
    }
  }
}

function placesIn(to: Word, file: FileName, cwd: string | undefined): readonly FileName[] {
  const folder = exactText(to)
  const inside = folder === undefined ? [] : namedFiles(exactWord(`${folder}/${baseName(file.source)}`), cwd)
  return [...namedFiles(to, cwd), ...inside]
}

const remove: Keeper = (command, _input, scene) => {
  for (const word of command.args) for (const file of namedFiles(word, command.cwd)) put(file, [], scene)
}

const tee: Keeper = (command, input, scene) => {
  for (const word of command.args) {
    for (const file of namedFiles(word, command.cwd))
      if (!word.source.startsWith('-')) put(file, input, scene)
  }
}

const SUFFIX: Readonly<Record<string, string>> = {
  gzip: '.gz',
  pigz: '.gz',
  bzip2: '.bz2',
  pbzip2: '.bz2',
  xz: '.xz',
  zstd: '.zst',
  lz4: '.lz4',
  lzma: '.lzma',
  compress: '.Z',
  gpg: '.gpg',
  gpg2: '.gpg',
}
const COMPRESS = optionTable(`
  S|suffix= r|recipient= u|local-user= c|stdout d|decompress k|keep f|force o|output= R|recipients-file=
  i|identity=
`)

/** `gzip -S .p f` makes f.p of f; `gpg -o out f` says what it makes. */
const compress: Keeper = (command, input, scene) => {
  const read = readOptions(command.args, COMPRESS)
  const named = read.operands.flatMap((word) => namedFiles(word, command.cwd))
  const made = valuesOf(read, 'output').flatMap((word) => namedFiles(word, command.cwd))
  const origins = together(input, ...named.map((file) => contentsOf(file, scene)))
  for (const file of made) put(file, origins, scene)
  const suffix = exactText(valuesOf(read, 'suffix')[0]) ?? SUFFIX[command.name ?? ''] ?? ''
  for (const word of read.operands) {
    for (const file of namedFiles(word, command.cwd)) {
      const packed = {
        ...file,
        form: [...file.form, { kind: 'text' as const, text: suffix }],
        source: `${file.source}${suffix}`,
      }
      put(packed, contentsOf(file, scene), scene)
      const plain = file.source.replace(/\.(gz|bz2|xz|zst|lz4|lzma|Z|tgz)$/, '')
      if (plain !== file.source)
        put({ ...file, form: [{ kind: 'text', text: plain }], source: plain }, contentsOf(file, scene), scene)
    }
  }
}

/** tar, zip and 7z: the archive holds all that was read. */
const pack: Keeper = (command, input, scene) => {
  const archive = archiveOf(command)
  if (archive === undefined) return
  const origins = together(input, readOrigins(command, scene))
  for (const file of namedFiles(archive, command.cwd)) {
    const own = fileKey(file, scene.home)
    const rest = origins.filter(
      (origin) => origin.kind !== 'file' || fileKey(origin.file, scene.home) !== own,
    )
    put(file, rest, scene)
  }
}

function archiveOf({ name, args }: SimpleCommand): Word | undefined {
  const operands = args.filter((word) => !word.source.startsWith('-'))
  if (name === 'zip') return operands[0]
  if (name !== 'tar' && name !== 'bsdtar' && name !== 'gtar') return operands[1]
  const long = args
    .map((word) => /^--file=(.*)$/s.exec(exactText(word) ?? '')?.[1])
    .find((file) => file !== undefined)
  if (long !== undefined) return exactWord(long)
  const at = args.findIndex((word, index) => {
    const text = exactText(word) ?? ''
    return (
      text === '--file' || /^-[a-zA-Z]*f$/.test(text) || (index === 0 && /^[a-zA-Z]*f[a-zA-Z]*$/.test(text))
    )
  })
  return at < 0 ? undefined : args[at + 1]
}

const KEEPERS: ReadonlyMap<string, Keeper> = new Map<string, Keeper>([
  ...eachWord('cp mv ln install ditto link', copy),
  ...eachWord('rm unlink shred trash', remove),
  ...[
    ...Object.keys(SUFFIX),
    'gunzip',
    'bunzip2',
    'unxz',
    'unzstd',
    'unlz4',
    'uncompress',
    'age',
    'rage',
  ].map((name) => [name, compress] as const),
  ...eachWord('tar bsdtar gtar zip 7z 7za rar pax', pack),
  ['tee', tee],
  // They change nothing of what is in a file.
  ...eachWord('touch chmod chown truncate sed', () => {}),
])
