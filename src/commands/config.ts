import { resolve } from 'node:path'
import pc from 'picocolors'
import type { EffectivePack, EffectivePolicy } from '../config/effective.ts'
import { homeLayout } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import { readPolicy } from '../tools/status/status-facts.ts'
import { placeText } from './guard-text.ts'
import { warnOfPause } from './pause-warning.ts'
import { problemLine } from './problem-line.ts'
import { tilde } from './screen.ts'
import { visible, visibleJson } from './visible.ts'

interface ConfigOptions {
  readonly home?: string
  readonly json?: boolean
}

/** Prints the policy that applies here, after all layers are combined, with the place each value comes from. */
export async function config(options: ConfigOptions): Promise<void> {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  const { policy, broken } = await readPolicy(home, findProject(process.cwd()))
  if (options.json === true) {
    process.stdout.write(`${visibleJson(JSON.stringify({ ...policy, broken }, null, 2))}\n`)
    return
  }
  warnOfPause(options.home)
  process.stdout.write(policyText(policy))
  for (const problem of [...broken, ...policy.problems])
    process.stderr.write(`${pc.yellow('problem')} ${problemLine(problem, tilde)}\n`)
}

function policyText({ layers, packs, entries, settings }: EffectivePolicy): string {
  const files = layers.map(
    ({ rank, file, trusted }) => `  ${rank}: ${visible(tilde(file))}${trusted ? '' : note('not trusted')}`,
  )
  const lines = [
    'layers:',
    ...files,
    'packs:',
    ...packs.flatMap(packLines),
    'entries:',
    ...entries.map(
      ({ id, kind, on, from, trusted }) =>
        `  - { id: ${visible(id)}, kind: ${kind}, on: [${on.join(', ')}] }${note(`${placeText(from)}${trusted ? '' : ', not trusted'}`)}`,
    ),
    'settings:',
    ...settings.map(
      ({ key, value, from }) =>
        `  ${visible(key)}: ${visible(JSON.stringify(value))}${note(from === undefined ? 'default' : visible(tilde(from)))}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

function packLines({ pack, on, level, from, guards }: EffectivePack): readonly string[] {
  const place = from === undefined ? 'no file names it' : placeText(from)
  if (!on) return [`  ${pack}: false${note(`OFF: ${place}`)}`]
  return [
    `  ${pack}:${note(place)}`,
    `    level: ${level}`,
    '    guards:',
    ...guards.map(({ id, mode, isSet, from: origin }) => {
      const source = isSet && origin !== undefined ? placeText(origin) : `level ${level}`
      return `      ${id}: ${mode}${note(source)}`
    }),
  ]
}

function note(text: string): string {
  return pc.dim(`  # ${text}`)
}
