import type { Patch } from '../../../core/decision.ts'
import { type Event, toolOf } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import { isObject, type JsonObject, textAt } from '../../../core/json.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { readCommands } from '../../../shell/walk/read-commands.ts'
import { exactText } from '../../../shell/words/words.ts'
import { absolute, isSignals, segments } from '../../mux/paths.ts'

const KEY = 'mux/signals'
const KEPT = 20

/** What to remember of a call that may have left a signal: where it would be. Nothing else tells whose signal it is. */
export function signalPatches(event: Event, facts: Facts): readonly Patch[] {
  const tool = toolOf(event)
  if (tool === undefined) return []
  const paths = tool.name === 'Bash' ? ofCommand(event, facts) : ofFile(tool.input, facts)
  return paths.map((value) => ({ op: 'push', key: KEY, value, keep: KEPT }))
}

/** The places a signal of this agent may be, the last one first. */
export function leftSignals(memory: JsonObject): readonly string[] {
  const kept = memory[KEY]
  if (!Array.isArray(kept)) return []
  return kept.filter((each): each is string => typeof each === 'string').reverse()
}

/** The tool gives a signal its suffix, and puts it into the folder of signals. */
export function signalPaths(path: string): readonly string[] {
  const at = path.lastIndexOf('/')
  const name = path.slice(at + 1).replace(/\.(?:done|fail)$/, '')
  const folder = path.slice(0, at)
  const folders = [folder, `${folder}/.signals`, `${folder.slice(0, folder.lastIndexOf('/'))}/.signals`]
  return folders.flatMap((each) => [`${each}/${name}.done`, `${each}/${name}.fail`])
}

function ofFile(input: JsonObject, facts: Facts): readonly string[] {
  const path = absolute(textAt(input, 'file_path') ?? '', facts)
  const isSignal = path !== undefined && /\.(?:done|fail)$/.test(path) && segments(path).some(isSignals)
  return isSignal ? [path] : []
}

function ofCommand(event: Event, facts: Facts): readonly string[] {
  const text = textAt(toolOf(event)?.input ?? {}, 'command') ?? ''
  const read = readCommands(text, facts)
  const calls = read.judged ? read.commands.filter(isSignalCall) : []
  if (calls.length === 0) return []
  return [...calls.flatMap((command) => ofArguments(command, facts)), ...ofOutput(event, facts)]
}

function isSignalCall({ name, args }: SimpleCommand): boolean {
  const [first, second] = args.map(exactText)
  return name === 'signal.py' || (name === 'holdpoint' && first === 'mux' && second === 'signal')
}

function ofArguments({ name, args, cwd }: SimpleCommand, facts: Facts): readonly string[] {
  const words = args.slice(name === 'holdpoint' ? 2 : 0).map(exactText)
  const at = words.findIndex((word, index) => word?.startsWith('-') !== true && !takesValue(words[index - 1]))
  const path = absolute(words[at] ?? '', { ...facts, cwd: cwd ?? facts.cwd })
  return path === undefined ? [] : [path]
}

/** The tool says where it put the signal, also where the command names it by a variable. */
function ofOutput(event: Event, facts: Facts): readonly string[] {
  const output = 'output' in event ? event.output : undefined
  const text = typeof output === 'string' ? output : isObject(output) ? (textAt(output, 'stdout') ?? '') : ''
  return text.split('\n').flatMap((line) => {
    const path = line.startsWith('SIGNAL=')
      ? absolute(line.slice(7).trim(), { ...facts, cwd: facts.project })
      : undefined
    return path === undefined ? [] : [path]
  })
}

function takesValue(option: string | undefined): boolean {
  return option !== undefined && /^--(?:path|status|size|error|trace-id|version|previous)$/.test(option)
}
