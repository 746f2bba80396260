import { homedir } from 'node:os'
import { resolve } from 'node:path'
import pc from 'picocolors'
import { redact } from '../core/redact/redact.ts'
import { analyze } from '../library/shell/analyze.ts'
import type { AnalyzedCommand, AnalyzedEffect } from '../library/shell/types.ts'
import { fitted } from './screen.ts'
import { visible, visibleJson } from './visible.ts'

interface EffectsOptions {
  readonly cwd?: string
  readonly json?: boolean
}

/** Shows what a shell command would run and do, as a tree or as the JSON of `holdpoint/shell`. Nothing is executed. */
export function explainEffects(command: string, { cwd, json }: EffectsOptions): void {
  const found = analyze(command, { cwd: resolve(cwd ?? '.'), home: homedir() })
  if (json === true) {
    process.stdout.write(`${visibleJson(JSON.stringify(found, null, 2))}\n`)
    return
  }
  const lines = found.readable
    ? found.commands.flatMap(commandLines)
    : [`This command cannot be read: ${found.why}. It may do anything.`]
  for (const line of lines.length === 0 ? ['It runs nothing.'] : lines)
    process.stdout.write(`${fitted(redact(line))}\n`)
}

/** A command below the one that starts it, and below it what it does. */
function commandLines(command: AnalyzedCommand): readonly string[] {
  const { program, via, effects, unknown, remote } = command
  // Only a variable or a file is set.
  const text = program === '' ? command.fragment : command.text
  const indent = '  '.repeat(via.filter((how) => how !== 'pipe').length)
  const where = remote === undefined ? '' : pc.dim(`  in ${visible(remote)}`)
  return [
    `${indent}${pc.bold(visible(text))}${where}`,
    ...(unknown === undefined ? [] : [`${indent}  ${pc.yellow('unknown')}  ${visible(unknown)}`]),
    ...effects.map((effect) => `${indent}  ${effectLine(effect)}`),
  ]
}

function effectLine(effect: AnalyzedEffect): string {
  const doubt = effect.certain ? '' : pc.dim(`  perhaps: ${visible(effect.doubt ?? 'not certain')}`)
  return `${effect.kind.padEnd(KIND_WIDTH)}${visible(subjectOf(effect))}${doubt}`
}

const KIND_WIDTH = 9

function subjectOf(effect: AnalyzedEffect): string {
  switch (effect.kind) {
    case 'act':
      return `${effect.act}: ${effect.what}`
    case 'run':
      return effect.what
    case 'send':
    case 'fetch': {
      const stream = effect.kind === 'send' ? 'standard input' : 'standard output'
      const what = effect.path ?? effect.carries ?? (effect.stream === true ? stream : undefined)
      const host = effect.host ?? 'an unknown host'
      if (what === undefined) return host
      return effect.kind === 'send' ? `${what} to ${host}` : `${host} into ${what}`
    }
    default:
      return effect.recursive === true ? `${effect.path}, with everything below it` : effect.path
  }
}
