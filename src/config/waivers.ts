import { type Waivers, withWaivers } from '../core/exceptions.ts'
import type { Layer } from '../core/layer.ts'
import { userRights } from '../core/plan/plan.ts'
import { readExceptions } from '../system/exceptions.ts'
import type { Home } from '../system/home.ts'
import { readNodeLocation } from '../system/installs.ts'
import { readPause } from '../system/pause.ts'
import { type InstalledHooks, realPlaces } from './installed-hooks.ts'
import type { ConfigScope } from './places.ts'

/** Pack `self` guards Holdpoint's own files and the installed hooks, which only this machine knows. */
export function withInstalledFiles(
  layer: Layer,
  home: Home,
  hooks: InstalledHooks,
  repairable: readonly string[] = [],
): Layer {
  const installs = hooks.installs.map((each) => ({ ...each }))
  const switchedOff = hooks.switchedOff.map((each) => ({ ...each }))
  const places = realPlaces(home, hooks.installs)
  const real = { own: [...places.own], agent: [...places.agent] }
  const http = hooks.installs.some((install) => install.http === true)
  const location = readNodeLocation(home.installs)
  const nodes = location === undefined ? [] : [location.node, ...location.others]
  const packs = layer.packs.map((entry) =>
    entry.pack === 'self'
      ? {
          ...entry,
          options: {
            ...entry.options,
            home: home.folder,
            installs,
            switchedOff,
            real,
            http,
            nodes,
            repairable,
          },
        }
      : entry,
  )
  return { ...layer, packs }
}

/**
 * The exceptions and pauses of the user, for each pack. They do not apply to what managed policy requires, unless that
 * policy allows it.
 */
export function collectWaivers(
  layers: readonly Layer[],
  { home, project }: ConfigScope,
): (pack: string) => Waivers {
  const exceptions = readExceptions(home).exceptions.filter((each) => each.project === project)
  const read = readPause(home)
  const pause = read.kind === 'signed' ? read.pause : undefined
  const managed = new Set(
    layers
      .filter(({ rank }) => rank === 'managed')
      .flatMap(({ packs }) => packs.filter(({ off }) => off !== true).map(({ pack }) => pack)),
  )
  const rights = userRights(layers)
  const mayHave = (pack: string, right: 'exceptions' | 'pauses') =>
    !managed.has(pack) || rights[right] === 'allowed'
  return (pack) => {
    const isPaused =
      pause !== undefined && mayHave(pack, 'pauses') && (pause.packs === 'all' || pause.packs.includes(pack))
    return {
      exceptions: mayHave(pack, 'exceptions')
        ? exceptions.filter(({ guard }) => guard.startsWith(`${pack}/`))
        : [],
      pausedUntilMs: isPaused ? pause.untilMs : 0,
    }
  }
}

export function applyWaivers(layer: Layer, waiversFor: (pack: string) => Waivers): Layer {
  const packs = layer.packs.map((entry) => ({
    ...entry,
    options: withWaivers(entry.options, waiversFor(entry.pack)),
  }))
  return { ...layer, packs }
}
