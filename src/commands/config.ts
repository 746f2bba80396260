import type { EffectivePack, EffectivePolicy } from '../config/effective.ts'
import { findProject } from '../system/project.ts'
import { readPolicy } from '../tools/status/status-facts.ts'
import { type Caller, homeNamed } from './caller.ts'
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
export async function config(caller: Caller, options: ConfigOptions): Promise<void> {
  const home = homeNamed(caller, options.home)
  const { policy, broken } = await readPolicy(home, findProject(caller.cwd))
  if (options.json === true) {
    caller.stdout.write(`${visibleJson(JSON.stringify({ ...policy, broken }, null, 2))}\n`)
    return
  }
  warnOfPause(caller, options.home)
  caller.stdout.write(policyText(caller, policy))
  for (const problem of [...broken, ...policy.problems])
    caller.stderr.write(
      `${caller.colours.yellow('problem')} ${problemLine(problem, (path) => tilde(caller, path))}\n`,
    )
}

function policyText(caller: Caller, { layers, packs, entries, settings }: EffectivePolicy): string {
  const files = layers.map(
    ({ rank, file, trusted }) =>
      `  ${rank}: ${visible(tilde(caller, file))}${trusted ? '' : note(caller, 'not trusted')}`,
  )
  const lines = [
    'layers:',
    ...files,
    'packs:',
    ...packs.flatMap((pack) => packLines(caller, pack)),
    'entries:',
    ...entries.map(
      ({ id, kind, on, from, trusted }) =>
        `  - { id: ${visible(id)}, kind: ${kind}, on: [${on.join(', ')}] }${note(caller, `${placeText(caller, from)}${trusted ? '' : ', not trusted'}`)}`,
    ),
    'settings:',
    ...settings.map(
      ({ key, value, from }) =>
        `  ${visible(key)}: ${visible(JSON.stringify(value))}${note(caller, from === undefined ? 'default' : visible(tilde(caller, from)))}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

function packLines(caller: Caller, { pack, on, level, from, guards }: EffectivePack): readonly string[] {
  const place = from === undefined ? 'no file names it' : placeText(caller, from)
  if (!on) return [`  ${pack}: false${note(caller, `OFF: ${place}`)}`]
  return [
    `  ${pack}:${note(caller, place)}`,
    `    level: ${level}`,
    '    guards:',
    ...guards.map(({ id, mode, isSet, from: origin }) => {
      const source = isSet && origin !== undefined ? placeText(caller, origin) : `level ${level}`
      return `      ${id}: ${mode}${note(caller, source)}`
    }),
  ]
}

function note(caller: Caller, text: string): string {
  return caller.colours.dim(`  # ${text}`)
}
