import { readOptions, valuesOf } from '../arguments/options.ts'
import { programOf } from '../programs/index.ts'
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
  const keeps = programOf(command.name)?.keeps
  switch (keeps?.kind) {
    case undefined:
      keepWritten(command, input, scene)
      break
    case 'copies':
      copy(command, scene, keeps.moves === true)
      break
    case 'removes':
      remove(command, scene)
      break
    case 'input':
      keepInput(command, input, scene)
      break
    case 'packs':
      pack(command, keeps.archive(command.args), input, scene)
      break
    case 'compresses':
      compress(command, keeps.suffix ?? '', input, scene)
      break
    case 'nothing':
  }
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

/** A program that says what it writes has put there what it read. Added, not set: it may have left the rest alone. */
function keepWritten(command: SimpleCommand, input: readonly DataOrigin[], scene: FlowState): void {
  const written = (scene.effects.get(command) ?? []).filter((effect) => effect.kind === 'write')
  if (written.length === 0 || command.redirections.length > 0) return
  const origins = together(input, readOrigins(command, scene))
  for (const effect of written) {
    if ('form' in effect) put(effect, together(contentsKnown(effect, scene), origins), scene)
  }
}

const COPY = 't|target-directory= S|suffix= m|mode= o|owner= g|group= s|symbolic'

/** The last operand, or a file of the same name in it, is what the first one was. */
function copy(command: SimpleCommand, scene: FlowState, moves: boolean): void {
  const read = readOptions(command.args, COPY)
  const folder = valuesOf(read, 'target-directory')[0]
  const to = folder ?? read.operands.at(-1)
  const from = folder === undefined ? read.operands.slice(0, -1) : read.operands
  if (to === undefined) return
  for (const word of from) {
    for (const file of namedFiles(word, command.cwd)) {
      const contents = contentsOf(file, scene, true)
      for (const place of placesIn(to, file, command.cwd)) put(place, contents, scene)
      if (moves) put(file, [], scene)
    }
  }
}

function placesIn(to: Word, file: FileName, cwd: string | undefined): readonly FileName[] {
  const folder = exactText(to)
  const inside = folder === undefined ? [] : namedFiles(exactWord(`${folder}/${baseName(file.source)}`), cwd)
  return [...namedFiles(to, cwd), ...inside]
}

function remove(command: SimpleCommand, scene: FlowState): void {
  for (const word of command.args) for (const file of namedFiles(word, command.cwd)) put(file, [], scene)
}

function keepInput(command: SimpleCommand, input: readonly DataOrigin[], scene: FlowState): void {
  for (const word of command.args) {
    for (const file of namedFiles(word, command.cwd))
      if (!word.source.startsWith('-')) put(file, input, scene)
  }
}

const COMPRESS = `
  S|suffix= r|recipient= u|local-user= c|stdout d|decompress k|keep f|force o|output= R|recipients-file=
  i|identity=
`

/** `gzip -S .p f` makes f.p of f; `gpg -o out f` says what it makes. */
function compress(
  command: SimpleCommand,
  ending: string,
  input: readonly DataOrigin[],
  scene: FlowState,
): void {
  const read = readOptions(command.args, COMPRESS)
  const named = read.operands.flatMap((word) => namedFiles(word, command.cwd))
  const made = valuesOf(read, 'output').flatMap((word) => namedFiles(word, command.cwd))
  const origins = together(input, ...named.map((file) => contentsOf(file, scene)))
  for (const file of made) put(file, origins, scene)
  const suffix = exactText(valuesOf(read, 'suffix')[0]) ?? ending
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

/** The archive holds all that was read. */
function pack(
  command: SimpleCommand,
  archive: Word | undefined,
  input: readonly DataOrigin[],
  scene: FlowState,
): void {
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
