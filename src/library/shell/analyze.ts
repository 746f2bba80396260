import { effectsOf } from '../../shell/effects.ts'
import type { ActId } from '../../shell/programs/act-ids.ts'
import { type SimpleCommand, spellCommand } from '../../shell/vocabulary/command.ts'
import {
  type FileName,
  isAct,
  isFileEffect,
  pathOf,
  type ShellEffect,
  spellPath,
} from '../../shell/vocabulary/effect.ts'
import { readAsSeen } from '../../shell/walk/read-commands.ts'
import type { AnalyzedCommand, AnalyzedEffect, AnalyzeOptions, ShellAnalysis } from './types.ts'

/**
 * What a shell command would run and do, before it runs: through wrappers, code strings, pipes, variables, and files that
 * it writes on the way. Pure: nothing is executed, and nothing of this machine is looked at.
 *
 * @example
 * const found = analyze('cd /tmp && sudo rm -rf build', { cwd: '/srv/project', home: '/home/dev' })
 * const deleted = found.readable
 *   ? found.commands.flatMap((command) => command.effects).filter((effect) => effect.kind === 'delete')
 *   : []
 * // [{ kind: 'delete', path: '/tmp/build', recursive: true, certain: true }]
 */
export function analyze(command: string, options: AnalyzeOptions = {}): ShellAnalysis {
  const { cwd = '/', home = '/home/user', files = {} } = options
  mustBeText(command, 'command')
  mustBePath(cwd, 'cwd')
  mustBePath(home, 'home')
  const read = readAsSeen(command, { cwd, home, written: new Map(Object.entries(files)) })
  if (!read.judged) return { version: 1, readable: false, why: read.why }
  const commands = analyzedCommands(read.commands, home)
  return read.hidden === undefined
    ? { version: 1, readable: true, commands }
    : { version: 1, readable: false, why: read.hidden, asSeen: commands }
}

function analyzedCommands(commands: readonly SimpleCommand[], home: string): readonly AnalyzedCommand[] {
  const byCommand = new Map<SimpleCommand, AnalyzedEffect[]>(commands.map((each) => [each, []]))
  for (const { effect, command: of } of effectsOf(commands, home)) {
    if (isFileEffect(effect) && effect.guessed === true) continue
    byCommand.get(of)?.push(analyzedEffect(effect, home))
  }
  return commands.map((each, index) =>
    analyzedCommand(each, index, commands, withoutCopies(byCommand.get(each) ?? [])),
  )
}

function mustBeText(value: unknown, name: string): void {
  if (typeof value !== 'string') throw new TypeError(`analyze: \`${name}\` must be a text.`)
}

function mustBePath(value: unknown, name: string): void {
  mustBeText(value, name)
  if (!String(value).startsWith('/')) throw new TypeError(`analyze: \`${name}\` must be an absolute path.`)
}

function analyzedCommand(
  command: SimpleCommand,
  index: number,
  all: readonly SimpleCommand[],
  effects: readonly AnalyzedEffect[],
): AnalyzedCommand {
  const { name, fragment, via, cwd, remote, inputs = [], opaque } = command
  const reads = inputs.map((each) => all.indexOf(each)).filter((at) => at >= 0)
  return {
    index,
    program: name ?? null,
    text: spellCommand(command),
    fragment,
    via,
    cwd: cwd ?? null,
    ...(remote === undefined ? {} : { remote }),
    ...(reads.length === 0 ? {} : { reads }),
    ...(opaque === undefined ? {} : { unknown: opaque }),
    effects,
  }
}

function analyzedEffect(effect: ShellEffect, home: string): AnalyzedEffect {
  const { unsure } = effect
  const certainty = unsure === undefined ? { certain: true } : { certain: false, doubt: unsure }
  const path = (file: FileName): string => spellPath(pathOf(file, home))
  if (isFileEffect(effect)) {
    const kind = effect.kind === 'metadata' ? 'inspect' : effect.kind
    return {
      kind,
      path: path(effect),
      ...(effect.recursive === true ? { recursive: true } : {}),
      ...certainty,
    }
  }
  if (isAct(effect)) {
    return { kind: 'act', act: effect.act as ActId, group: effect.kind, what: effect.what, ...certainty }
  }
  if (effect.kind === 'exec') return { kind: 'run', from: effect.from, what: effect.what, ...certainty }
  return {
    kind: effect.direction === 'out' ? 'send' : 'fetch',
    host: effect.host ?? null,
    ...(effect.file === undefined ? {} : { path: path(effect.file) }),
    ...(effect.stream === true ? { stream: true } : {}),
    ...(effect.carries === undefined ? {} : { carries: effect.carries }),
    ...certainty,
  }
}

/** Two readers may say the same; whoever asks wants it once. */
function withoutCopies(effects: readonly AnalyzedEffect[]): readonly AnalyzedEffect[] {
  const seen = new Set<string>()
  return effects.filter((effect) => {
    const key = JSON.stringify(effect)
    return !seen.has(key) && seen.add(key)
  })
}
