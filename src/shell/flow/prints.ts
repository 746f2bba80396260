import { onlyAsks } from '../files/file-arguments.ts'
import { fileEffects } from '../files/file-effects.ts'
import { programOf } from '../programs/index.ts'
import type { Packs } from '../programs/program.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileName, namedFiles } from '../vocabulary/effect.ts'
import { exactText } from '../words/words.ts'
import { codeSourceOf } from './code-source.ts'
import { credentialPrinted } from './credentials.ts'
import { contentsOf, type DataOrigin, type FlowState, together } from './flow-state.ts'
import { showsVariables } from './shown-variables.ts'
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
  if (showsVariables(command) === 'all') return [{ kind: 'environment' }]
  const program = programOf(name)
  if (program?.dumps === true) return [{ kind: 'dump', what: `what ${name} takes out of a database` }]
  const words = wordOrigins(command.args, command, scene)
  if (name === '') return input
  const use = program?.files
  if (use?.operands === 'none') return use.printsWords === true ? words : []
  if (use?.operands === 'metadata' || onlyAsks(use, command.args)) return []
  const network = (scene.effects.get(command) ?? []).flatMap((effect): DataOrigin[] =>
    effect.kind === 'net' && effect.direction === 'in' && effect.file === undefined
      ? [{ kind: 'network', host: effect.host }]
      : [],
  )
  if (network.length > 0) return network
  if (codeSourceOf(command)?.from === 'input') return []
  const decoded: readonly DataOrigin[] = decodes(command) ? [{ kind: 'decoded' }] : []
  const passed = program?.passesOn === true ? input : input.filter((origin) => origin.kind !== 'credential')
  return together(passed, words, readOrigins(command, scene), decoded)
}

/** `base64 -d` and its like: what comes out was not meant to be read on the way in. */
export function decodes({ name, args }: SimpleCommand): boolean {
  return programOf(name)?.decodes?.(args.map((word) => exactText(word) ?? '')) === true
}

/** What the command reads from files: of a folder, everything below it where it packs it. */
export function readOrigins(command: SimpleCommand, scene: FlowState): readonly DataOrigin[] {
  const packs = packsOf(command)
  const read = fileEffects(command, scene.home).filter(
    (effect) => effect.kind === 'read' && effect.loaded !== true,
  )
  const whole = packs?.folder === true ? [wholeFolder(command)] : []
  return together(
    ...[...read, ...whole].map((file) => contentsOf(file, scene, packs !== undefined)),
    ...(packs === undefined ? [] : listed(command, packs, scene)),
  )
}

function packsOf(command: SimpleCommand): Packs | undefined {
  const packs = programOf(command.name)?.packs
  return packs?.when?.(command) === false ? undefined : packs
}

function wholeFolder({ cwd }: SimpleCommand): FileName {
  return { form: [{ kind: 'text', text: '.' }], source: '.', cwd }
}

/** File names given to a packer on standard input: `printf '%s\n' a b | zip x -@`. */
function listed(command: SimpleCommand, packs: Packs, scene: FlowState): readonly (readonly DataOrigin[])[] {
  const takesNames =
    packs.takesNames === true ||
    command.args.some((word) => /^(-@|-T|-T-|--files-from(=-)?|-)$/.test(word.source))
  const names = takesNames ? (command.inputs ?? []).filter(isEcho) : []
  return names.flatMap((each) =>
    each.args
      .flatMap((word): FileName[] => [...namedFiles(word, each.cwd)])
      .map((file) => contentsOf(file, scene, true)),
  )
}

function isEcho({ name }: SimpleCommand): boolean {
  return programOf(name)?.files?.printsWords === true
}
