import { leftOutText, listedOf } from '../core/engine/few-reasons.ts'
import { type JsonObject, textAt } from '../core/json.ts'
import { allowCodesOf } from '../tools/explain/allow-codes.ts'
import type { Colours } from './caller.ts'
import { visible } from './visible.ts'

/**
 * What the guards reported about a call that they stop, in lines for people. The call has one code, so how to allow it
 * is said once, below all of them.
 */
export function stopLines(
  colours: Colours,
  stops: readonly JsonObject[],
  wasTried: boolean,
): readonly string[] {
  const listed = listedOf(stops, (stop) => textAt(stop, 'unknown') !== undefined)
  const leftOut = stops.length - listed.length
  const allow = allowed(stops, wasTried)
  return [
    ...listed.flatMap((stop) => ['', ...linesOf(colours, stop)]),
    ...(leftOut === 0 ? [] : ['', `${leftOutText(leftOut)} --json lists them.`]),
    ...(allow === undefined ? [] : ['', allow]),
  ]
}

function linesOf(colours: Colours, stop: JsonObject): readonly string[] {
  const line = (name: string, text: string | undefined) =>
    text === undefined || text === '' ? [] : [`  ${colours.dim(name.padEnd(9))} ${visible(text)}`]
  const path = textAt(stop, 'path')
  return [
    `${colours.bold(visible(textAt(stop, 'guard') ?? '?'))} ${visible(textAt(stop, 'decided') ?? '')}`,
    ...line('does', textAt(stop, 'does')),
    ...line('path', path),
    ...line('fragment', textAt(stop, 'fragment')),
    ...line('reached', chainOf(stop)),
    ...line('unknown', textAt(stop, 'unknown')),
    ...line(
      'again',
      stop.repeat === true ? 'the same call was denied before in a different form' : undefined,
    ),
    ...line('set in', placeOf(stop)),
  ]
}

/** How the command is reached, outermost first. */
function chainOf({ via, program }: JsonObject): string | undefined {
  if (!Array.isArray(via) || via.length === 0) return undefined
  return [...via, ...(program === undefined ? [] : [program])].map(String).join(' > ')
}

function placeOf(stop: JsonObject): string | undefined {
  const place = textAt(stop, 'configured')
  return place === undefined ? undefined : layerText(place, textAt(stop, 'layer') ?? '')
}

/** A file, and the layer it belongs to. The defaults and the options of a command are not in a file. */
export function layerText(place: string, rank: string): string {
  return rank === 'call' || rank === '' ? place : `${place} (${rank})`
}

/** Nothing if the guards gave no code: then no exception can be made. */
function allowed(stops: readonly JsonObject[], wasTried: boolean): string | undefined {
  const allow = allowCodesOf(stops)
  if (allow.kind === 'none') return undefined
  if (allow.kind === 'managed') return 'You cannot allow this call: a guard comes from managed policy.'
  // A call that was only tried here is not in the journal, where `allow` looks the code up.
  if (!wasTried)
    return 'To allow this call when an agent tries it: the message that you see then has a code for `holdpoint allow`.'
  return allow.codes
    .map(
      (code) =>
        `To allow exactly this call once, run \`holdpoint allow ${code}\`. Longer: add --for 7d or --always.`,
    )
    .join('\n')
}
