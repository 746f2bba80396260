import type { EffectiveGuard, EffectivePack } from '../config/effective.ts'
import type { Guard } from '../core/guard.ts'
import type { Origin } from '../core/hook.ts'
import { OTHER_MODE } from '../policy/packs/guard-page.ts'
import type { Caller } from './caller.ts'
import { openLibrary } from './docs/pages.ts'
import { labelled, screenWidth, tilde } from './screen.ts'
import { visible } from './visible.ts'

/** One guard as people look it up: what it stops, why, what applies here, and how to change that. */
export interface DescribedGuard {
  readonly guard: Guard
  readonly pack: EffectivePack
  readonly here: EffectiveGuard
}

export function guardText(caller: Caller, { guard, pack, here }: DescribedGuard): string {
  const { stops, passes } = guardExamples(guard.id)
  const row = (name: string, text: string) =>
    labelled(`  ${caller.colours.dim(name)}`, text, screenWidth(caller.stdout))
  return [
    `${caller.colours.bold(guard.id)}: ${modeHere(caller, pack, here)}`,
    row('stops', `${guard.title}.`),
    row('why', guard.why),
    row('instead', guard.instead),
    row('checks', checked(guard)),
    row(
      'levels',
      Object.entries(guard.modes)
        .map(([level, mode]) => `${level}: ${mode}`)
        .join(', '),
    ),
    ...(here.from === undefined ? [] : [row('set in', setIn(caller, pack, here))]),
    ...stops
      .slice(0, EXAMPLES)
      .map((each, at) => row(at === 0 ? 'stopped' : '', visible(each, EXAMPLE_LENGTH))),
    ...passes
      .slice(0, EXAMPLES)
      .map((each, at) => row(at === 0 ? 'passes' : '', visible(each, EXAMPLE_LENGTH))),
    row(
      'change',
      `\`packs: { ${pack.pack}: { guards: { ${guard.id}: ${OTHER_MODE[here.mode]} } } }\` in your user file, ~/.config/holdpoint/config.yaml: deny, ask, warn or off.`,
    ),
    '',
  ].join('\n')
}

const EXAMPLES = 3
const EXAMPLE_LENGTH = 200

/** The mode that applies in this project, in colour. */
export function modeHere(
  caller: Caller,
  { on, pausedUntilMs }: EffectivePack,
  { mode }: EffectiveGuard,
): string {
  if (!on) return caller.colours.dim('off (its pack is off)')
  const text =
    mode === 'deny'
      ? caller.colours.red(mode)
      : mode === 'ask'
        ? caller.colours.yellow(mode)
        : caller.colours.dim(mode)
  return (pausedUntilMs ?? 0) > Date.now() ? `${text} ${caller.colours.red('PAUSED')}` : text
}

function checked({ on, match, skill }: Guard): string {
  const tools = match === '*' ? 'every tool' : match.split('|').join(', ')
  const about = match === '' ? '' : ` for ${tools}`
  return `${on.join(', ')}${about}${skill === undefined ? '' : `, while the skill \`${skill}\` is active`}`
}

function setIn(caller: Caller, { level }: EffectivePack, { from, isSet }: EffectiveGuard): string {
  const place = from === undefined ? '' : placeText(caller, from)
  return isSet ? place : `${place}, by its level ${level}`
}

export function placeText(caller: Caller, { file, line }: Origin): string {
  return `${visible(tilde(caller, file))}${line === undefined ? '' : `:${line}`}`
}

/** The examples of a guard are not in the built program; its page in the documentation has them. */
export function guardExamples(id: string): {
  readonly stops: readonly string[]
  readonly passes: readonly string[]
} {
  const { pages, read } = openLibrary()
  const page = pages.find(({ topic }) => topic === id)
  const text = page === undefined ? '' : read(page)
  const below = (title: string) => {
    const block = new RegExp(`^## ${title}\\n+\`\`\`text\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(text)?.[1]
    return block === undefined || block === '' ? [] : block.split('\n')
  }
  return { stops: below('Stops'), passes: below('Does not stop') }
}
