import { programOf } from '../programs/index.ts'
import { PRINT_CREDENTIAL } from '../programs/secrets/acts.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { ActEffect, FoundEffect, ShellEffect } from '../vocabulary/effect.ts'
import { exactText, hasUnknown } from '../words/words.ts'
import { inputOrigins, isGroup, openChannels, outputChannels } from './channels.ts'
import { codeSourceOf } from './code-source.ts'
import { credentialPrinted } from './credentials.ts'
import { rememberFiles } from './file-writes.ts'
import type { DataOrigin, FlowState } from './flow-state.ts'
import { decodes, outputOrigins } from './prints.ts'
import { sinkEffects } from './sinks.ts'
import { depthOf, wordOrigins } from './text.ts'

/**
 * Follows data through the commands of one line: what the network sent and what then runs it; what was read and what
 * then sends it away; through pipes, substitutions, variables, descriptors and files. Says only effects that no command
 * has by itself.
 */
export function flowEffects(
  found: readonly FoundEffect[],
  commands: readonly SimpleCommand[],
  home: string,
): readonly FoundEffect[] {
  if (!mayFlow(found, commands)) return []
  const effects = new Map<SimpleCommand, ShellEffect[]>()
  for (const { effect, command } of found) {
    const known = effects.get(command)
    if (known === undefined) effects.set(command, [effect])
    else known.push(effect)
  }
  const scene: FlowState = {
    home,
    commands,
    groups: commands.filter(isGroup),
    effects,
    outputs: new Map(),
    files: new Map(),
    variables: new Map(),
    channels: new Map(),
    budget: { left: STEPS_MAX },
  }
  const first = commands.flatMap((command) => follow(command, scene))
  // Through a pipe with a name, what comes later on the line reaches what stands before it.
  const again = commands.some(makesPipe) ? commands.flatMap((command) => follow(command, scene)) : []
  const lost = scene.budget.left < 0 ? commands.slice(0, 1).map((command) => ({ effect: LOST, command })) : []
  return [...(again.length > first.length ? again : first), ...shownCredentials(scene), ...lost]
}

/** Reached by counting: the same line always gets the same answer. */
const STEPS_MAX = 200_000

const LOST: ShellEffect = {
  kind: 'exec',
  from: 'unknown',
  what: 'passes data on through more commands than can be followed',
  unsure: 'it takes too many steps to follow',
}

/**
 * Most lines have nothing that runs or sends what another command got; following them would find nothing. A long line is
 * followed all the same: that it takes too many steps is a doubt of its own.
 */
function mayFlow(found: readonly FoundEffect[], commands: readonly SimpleCommand[]): boolean {
  if (commands.some((command) => credentialPrinted(command) !== undefined)) return true
  const [only] = commands
  if (commands.length === 1 && only?.inputs === undefined && only?.redirections.length === 0) return false
  const connects = found.some(({ effect }) => effect.kind === 'net')
  if (!connects && !commands.some(decodes)) return false
  if (commands.length > SHORT_LINE || commands.some((command) => codeSourceOf(command) !== undefined))
    return true
  return found.some(
    ({ effect, command }) => effect.kind === 'net' && (effect.direction === 'out' || carries(command)),
  )
}

const SHORT_LINE = 32

/** Something known only at run time is among the words. */
function carries({ args }: SimpleCommand): boolean {
  return args.some((word) => word.forms.some(hasUnknown))
}

function makesPipe({ name }: SimpleCommand): boolean {
  return programOf(name)?.makesPipe === true
}

function follow(
  command: SimpleCommand,
  scene: FlowState,
  given?: readonly DataOrigin[],
): readonly FoundEffect[] {
  if (scene.budget.left < 0) return []
  openChannels(command, scene)
  const input = given ?? inputOrigins(command, scene)
  const output = outputOrigins(command, input, scene)
  // What goes to a file or a connection goes no further.
  const elsewhere = outputChannels(command, scene).length > 0
  scene.outputs.set(command, elsewhere ? [] : output)
  const effects = sinkEffects(command, input, output, scene)
  rememberFiles(command, input, output, scene)
  keepVariables(command, input, scene)
  const fed = feeds(command, scene).flatMap((each) =>
    follow(each, scene, output.length === 0 ? input : output),
  )
  const kept = elsewhere && !isSilenced(command) ? credentialIn(output) : []
  return [...[...effects, ...kept].map((effect) => ({ effect, command })), ...fed]
}

/** The commands inside `>(…)`, which read what this one writes. */
function feeds(command: SimpleCommand, scene: FlowState): readonly SimpleCommand[] {
  const words = [...command.args, ...command.redirections.map(({ target }) => target)]
  const texts = words.map((word) => word.source).filter((source) => source.startsWith('>('))
  if (texts.length === 0) return []
  const inside = [...scene.outputs.keys()].filter(
    (each) => each.via.includes('>(…)') && texts.some((text) => text.includes(each.fragment)),
  )
  return inside.filter((each) => !each.inputs?.some((before) => inside.includes(before)))
}

function keepVariables(command: SimpleCommand, input: readonly DataOrigin[], scene: FlowState): void {
  const { name, args } = command
  if (name === '') {
    for (const each of command.assignments)
      scene.variables.set(each.name, wordOrigins([each.value], command, scene))
  } else if (programOf(name)?.declares === true) {
    for (const word of args) {
      const variable = /^(\w+)\+?=/.exec(word.source)?.[1]
      if (variable !== undefined) scene.variables.set(variable, wordOrigins([word], command, scene))
    }
  } else if (name === 'read' || name === 'mapfile' || name === 'readarray') {
    const names = args.map((word) => exactText(word) ?? '').filter((text) => /^[A-Za-z_]\w*$/.test(text))
    for (const each of names.length > 0 ? names : ['REPLY', 'MAPFILE']) scene.variables.set(each, input)
  }
}

/** A password or token that ends where the agent sees it, or waits for what comes next. Given to a command it is only used. */
function shownCredentials(scene: FlowState): readonly FoundEffect[] {
  const consumed = new Set(scene.commands.flatMap((command) => command.inputs ?? []))
  return scene.commands.flatMap((command, at) => {
    const shown = consumed.has(command) || depthOf(command) > 0 ? [] : (scene.outputs.get(command) ?? [])
    const waiting = command.name === '' ? unusedAfter(command, scene, at) : []
    return credentialIn([...shown, ...waiting]).map((effect) => ({ effect, command }))
  })
}

/** What is put into variables that nothing after it names. */
function unusedAfter(command: SimpleCommand, scene: FlowState, at: number): readonly DataOrigin[] {
  return command.assignments.flatMap(({ name, value }) => {
    const held = wordOrigins([value], command, scene).filter((origin) => origin.kind === 'credential')
    const named = new RegExp(`\\b${name}\\b`)
    const isUsed = held.length > 0 && scene.commands.slice(at + 1).some((each) => named.test(each.fragment))
    return isUsed ? [] : held
  })
}

function isSilenced(command: SimpleCommand): boolean {
  return command.redirections.some(
    ({ operator, target }) => /^&?>/.test(operator) && target.source === '/dev/null',
  )
}

function credentialIn(origins: readonly DataOrigin[]): readonly ActEffect[] {
  const found = origins.find((origin) => origin.kind === 'credential')
  if (found?.kind !== 'credential') return []
  return [{ ...PRINT_CREDENTIAL, what: `prints ${found.what}` }]
}
