import { resolve } from 'node:path'
import { redact } from '../core/redact/redact.ts'
import { analyze } from '../library/shell/analyze.ts'
import {
  type CommandPart,
  type CommandTree,
  drawnTree,
  type PartEffect,
} from '../tools/explain/command-tree.ts'
import type { Caller } from './caller.ts'
import { fitted, screenWidth } from './screen.ts'
import { visible, visibleJson } from './visible.ts'

interface EffectsOptions {
  readonly cwd?: string
  readonly json?: boolean
}

/** Shows what a shell command would run and do, as a tree or as the JSON of `holdpoint/shell`. Nothing is executed. */
export function explainEffects(caller: Caller, command: string, { cwd, json }: EffectsOptions): void {
  const found = analyze(command, { cwd: resolve(caller.cwd, cwd ?? '.'), home: caller.userHome })
  if (json === true) {
    caller.stdout.write(`${visibleJson(JSON.stringify(found, null, 2))}\n`)
    return
  }
  for (const line of treeLines(caller, drawnTree(found)))
    caller.stdout.write(`${fitted(redact(line), screenWidth(caller.stdout))}\n`)
}

function treeLines(caller: Caller, tree: CommandTree): readonly string[] {
  if (tree.kind === 'unread') return [`This command cannot be read: ${tree.why}. It may do anything.`]
  const lines = tree.parts.flatMap((part) => partLines(caller, part, ''))
  const hidden = `It contains something that a person does not see: ${tree.hidden}. It may do anything.`
  return [
    ...(tree.hidden === undefined ? [] : [hidden]),
    ...(lines.length === 0 ? ['It runs nothing.'] : lines),
  ]
}

/** A command below the one that starts it, and below it what it does. */
function partLines(caller: Caller, part: CommandPart, indent: string): readonly string[] {
  const { text, isStep, remote, unknown, effects, parts } = part
  const more = `${indent}  `
  const where = remote === undefined ? '' : caller.colours.dim(`  in ${visible(remote)}`)
  return [
    `${indent}${isStep ? caller.colours.dim(visible(text)) : caller.colours.bold(visible(text))}${where}`,
    ...(unknown === undefined ? [] : [`${more}${caller.colours.yellow('unknown')}  ${visible(unknown)}`]),
    ...effects.map((effect) => `${more}${effectLine(caller, effect)}`),
    ...parts.flatMap((each) => partLines(caller, each, more)),
  ]
}

function effectLine(caller: Caller, { kind, text, unsure }: PartEffect): string {
  const doubt = unsure === undefined ? '' : caller.colours.dim(`  perhaps: ${visible(unsure)}`)
  return `${kind.padEnd(KIND_WIDTH)}${visible(text)}${doubt}`
}

const KIND_WIDTH = 9
