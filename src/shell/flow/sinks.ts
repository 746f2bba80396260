import { programOf } from '../programs/index.ts'
import { REVERSE_SHELL } from '../programs/network/acts.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileName, type NetEffect, namedFiles, type ShellEffect } from '../vocabulary/effect.ts'
import { isLocalHost } from '../words/hosts.ts'
import { exactText, type Word } from '../words/words.ts'
import { outputChannels } from './channels.ts'
import { codeSourceOf } from './code-source.ts'
import { contentsOf, type DataOrigin, type FlowState, fileKey, together } from './flow-state.ts'
import { textOrigins, wordOrigins } from './text.ts'

/** What the command does with what reached it: runs it, or sends it away. */
export function sinkEffects(
  command: SimpleCommand,
  input: readonly DataOrigin[],
  output: readonly DataOrigin[],
  scene: FlowState,
): readonly ShellEffect[] {
  return [
    ...ran(command, input, scene),
    ...sentAway(command, input, scene),
    ...redirected(command, input, output, scene),
  ]
}

function ran(command: SimpleCommand, input: readonly DataOrigin[], scene: FlowState): readonly ShellEffect[] {
  const source = codeSourceOf(command)
  if (source === undefined) return []
  if (source.from === 'file') return ranFile(source.word, command, scene)
  const listed = command.via.some((how) => /^(xargs|parallel)/.test(how)) ? input : []
  const text = source.from === 'input' ? [] : textOrigins(command.fragment, command, scene)
  const origins = source.from === 'input' ? input : together(text, listed)
  const found = fetchedIn(origins)
  if (found === undefined) return []
  if (found.file !== undefined) return [ranKept(found.file, found.host)]
  return [{ kind: 'exec', from: 'network', what: `runs what ${found.host ?? 'another machine'} sends` }]
}

function ranFile(word: Word, command: SimpleCommand, scene: FlowState): readonly ShellEffect[] {
  return namedFiles(word, command.cwd).flatMap((file): ShellEffect[] => {
    if (!scene.files.has(fileKey(file, scene.home))) return []
    const contents = contentsOf(file, scene)
    const found = fetchedIn(contents)
    if (found !== undefined) return [ranKept(file, found.host)]
    return contents.some((origin) => origin.kind === 'decoded') ? [ranDecoded(file)] : []
  })
}

function ranKept(file: FileName, host: string | undefined): ShellEffect {
  const what = `runs ${file.source}, which was fetched from ${host ?? 'another machine'}`
  return { kind: 'exec', from: 'file', what, file }
}

function ranDecoded(file: FileName): ShellEffect {
  const what = `runs ${file.source}, which was decoded from something that cannot be read`
  return { kind: 'exec', from: 'unknown', what, file, unsure: 'what it holds is known only at run time' }
}

/** The first origin that is another machine. */
function fetchedIn(origins: readonly DataOrigin[]): Extract<DataOrigin, { kind: 'network' }> | undefined {
  return origins.filter((origin) => origin.kind === 'network').find((origin) => !isLocalHost(origin.host))
}

/** A network program sends its standard input, its files, or what was put into its words. */
function sentAway(
  command: SimpleCommand,
  input: readonly DataOrigin[],
  scene: FlowState,
): readonly ShellEffect[] {
  const net = (scene.effects.get(command) ?? []).filter(
    (effect): effect is NetEffect => effect.kind === 'net' && !isLocalHost(effect.host),
  )
  const [first] = net
  if (first === undefined) return []
  const files = net.flatMap((effect) => {
    if (effect.direction === 'in') return []
    if (effect.stream === true) return [sending(effect, input)]
    if (effect.file === undefined || !scene.files.has(fileKey(effect.file, scene.home))) return []
    return [sending(effect, contentsOf(effect.file, scene))]
  })
  const carried = together(
    ...command.args.map((word, at) => carriedBy(word, command.args[at - 1], command, scene)),
  )
  const shell = net.some((effect) => effect.stream === true && effect.direction === 'out')
    ? shellBefore(command, scene)
    : []
  return [...files.flat(), ...sending(first, carried), ...shell]
}

/** Options whose value is what is sent, not how. */
const BODY = /^-(?:d|F|-data(?:-\w+)?|-form(?:-string)?|-json|-post-data|-body-data|-url-query)$/

/** A token in the header that is there for it is how a service is used. */
function carriedBy(
  word: Word,
  before: Word | undefined,
  command: SimpleCommand,
  scene: FlowState,
): readonly DataOrigin[] {
  const origins = wordOrigins([word], command, scene)
  if (BODY.test(before?.source ?? '') || BODY.test(word.source.split('=', 1)[0] ?? '')) return origins
  const text = exactText(word) ?? word.source
  if (!/authorization|bearer|token|api-?key|x-vault/i.test(text.slice(0, 64)) || /^["']?\w+:\/\//.test(text))
    return origins
  return origins.filter((origin) => origin.kind !== 'credential')
}

function sending(to: NetEffect, origins: readonly DataOrigin[]): readonly ShellEffect[] {
  const { host, login, unsure } = to
  const base = {
    kind: 'net',
    direction: 'out',
    host,
    ...(login === true ? { login } : {}),
    ...(unsure === undefined ? {} : { unsure }),
  } as const
  return origins.flatMap((origin): ShellEffect[] => {
    if (origin.kind === 'network' || origin.kind === 'decoded') return []
    // To a machine one logs in to, it is how a backup is made.
    if (origin.kind === 'dump') {
      return login === true
        ? []
        : [{ ...base, carries: origin.what, unsure: 'it may be a backup that belongs there' }]
    }
    if (origin.kind !== 'file') {
      return [
        { ...base, carries: origin.kind === 'environment' ? 'every environment variable' : origin.what },
      ]
    }
    return [{ ...base, file: origin.file, ...(origin.recursive ? { recursive: true } : {}) }]
  })
}

/** `… > /dev/tcp/HOST/PORT`, and a shell that talks to it. */
function redirected(
  command: SimpleCommand,
  input: readonly DataOrigin[],
  output: readonly DataOrigin[],
  scene: FlowState,
): readonly ShellEffect[] {
  const networks = outputChannels(command, scene).flatMap(({ network }) => network ?? [])
  const away = networks.filter(({ host }) => !isLocalHost(host))
  const sent = away.flatMap(({ host }) => sending({ kind: 'net', direction: 'out', host }, output))
  return networks.length > 0 && isOpenShell(command, input) ? [...sent, REVERSE_SHELL] : sent
}

/** The output of a shell that waits for commands goes into the connection. */
function shellBefore(command: SimpleCommand, scene: FlowState): readonly ShellEffect[] {
  const shells = (command.inputs ?? []).filter((each) =>
    isOpenShell(each, each.inputs === undefined ? [] : (scene.outputs.get(each.inputs.at(-1) ?? each) ?? [])),
  )
  return shells.length > 0 ? [REVERSE_SHELL] : []
}

/** A shell whose commands nobody has written down: typed at the other end. */
function isOpenShell(command: SimpleCommand, input: readonly DataOrigin[]): boolean {
  if (programOf(command.name)?.isShell !== true || codeSourceOf(command)?.from !== 'input') return false
  const given =
    command.inputs !== undefined || command.redirections.some((each) => each.operator.startsWith('<<'))
  return (
    !given ||
    input.some((origin) => origin.kind === 'network') ||
    command.args.some((word) => /^-[a-z]*i/.test(word.source))
  )
}
