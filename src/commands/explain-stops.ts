import pc from 'picocolors'
import { type JsonObject, textAt } from '../json.ts'
import { visible } from './visible.ts'

/** What a guard said of a stop, in lines a person reads. */
export function stopLines(stop: JsonObject, wasTried: boolean): readonly string[] {
  const line = (name: string, text: string | undefined) =>
    text === undefined || text === '' ? [] : [`  ${pc.dim(name.padEnd(9))} ${visible(text)}`]
  const path = textAt(stop, 'path')
  const code = textAt(stop, 'code')
  return [
    `${pc.bold(textAt(stop, 'guard') ?? '?')} ${textAt(stop, 'decided') ?? ''}`,
    ...line('does', textAt(stop, 'does')),
    ...line('path', path),
    ...line('fragment', textAt(stop, 'fragment')),
    ...line('reached', chainOf(stop)),
    ...line('unknown', textAt(stop, 'unknown')),
    ...line(
      'again',
      stop.repeat === true ? 'the same act was denied before, in another spelling' : undefined,
    ),
    ...line('set in', placeOf(stop)),
    ...line('allow', code === undefined ? undefined : allowed(stop, code, wasTried)),
  ]
}

/** How the command is reached, outermost first. */
function chainOf({ via, program }: JsonObject): string | undefined {
  if (!Array.isArray(via) || via.length === 0) return undefined
  return [...via, ...(program === undefined ? [] : [program])].map(String).join(' > ')
}

function placeOf(stop: JsonObject): string | undefined {
  const place = textAt(stop, 'configured')
  return place === undefined ? undefined : `${place} (${textAt(stop, 'layer') ?? ''})`
}

function allowed(stop: JsonObject, code: string, wasTried: boolean): string {
  if (stop.layer === 'managed') return 'nobody here: it comes from managed policy'
  const before = wasTried ? '' : '; only after an agent has tried it'
  return `holdpoint allow ${code} (once), or with --for 7d or --always${before}`
}
