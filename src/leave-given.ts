import type { Layer } from './config.ts'
import type { Where } from './config-places.ts'
import { type Leave, withLeave } from './exceptions.ts'
import { exceptionsFile, readExceptions } from './world/exceptions.ts'
import type { Home } from './world/home.ts'
import { readInstalls } from './world/installs.ts'
import { pauseFile, readPause } from './world/pause.ts'

/** Pack `self` guards Holdpoint's own files, which only this machine knows. */
export function withOwnPlaces(layer: Layer, home: Home): Layer {
  const known = readInstalls(home.installs)
  const installs = known.map(({ file, entries }) => ({ file, entries }))
  const http = known.some((install) => install.http === true)
  const packs = layer.packs.map((entry) =>
    entry.pack === 'self'
      ? { ...entry, options: { ...entry.options, home: home.folder, installs, http } }
      : entry,
  )
  return { ...layer, packs }
}

/** What people have excepted here and paused, for each pack. What managed policy asks for, nobody lets off. */
export function leaveGiven(layers: readonly Layer[], { home, project }: Where): (pack: string) => Leave {
  const exceptions = readExceptions(exceptionsFile(home)).filter((each) => each.project === project)
  const pause = readPause(pauseFile(home))
  const managed = new Set(
    layers
      .filter(({ rank }) => rank === 'managed')
      .flatMap(({ packs }) => packs.filter(({ off }) => off !== true).map(({ pack }) => pack)),
  )
  return (pack) => {
    if (managed.has(pack)) return { exceptions: [], pausedUntilMs: 0 }
    const isPaused = pause !== undefined && (pause.packs === 'all' || pause.packs.includes(pack))
    return {
      exceptions: exceptions.filter(({ guard }) => guard.startsWith(`${pack}/`)),
      pausedUntilMs: isPaused ? pause.untilMs : 0,
    }
  }
}

export function withLeaveGiven(layer: Layer, leave: (pack: string) => Leave): Layer {
  const packs = layer.packs.map((entry) => ({
    ...entry,
    options: withLeave(entry.options, leave(entry.pack)),
  }))
  return { ...layer, packs }
}
