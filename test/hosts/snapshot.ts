import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below a folder with its bytes and its mode, to see what an installation leaves behind. */
export type Snapshot = Readonly<Record<string, string>>

/** `without`: folders whose content is ignored, and prefixes of names, with a star. */
export function snapshot(folder: string, without: readonly string[]): Snapshot {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const counted = names.filter(
    (name) =>
      !without.some((each) =>
        each.endsWith('*')
          ? name.startsWith(each.slice(0, -1))
          : name === each || name.startsWith(`${each}/`),
      ),
  )
  return Object.fromEntries(counted.map((name) => [name, describe(join(folder, name))]))
}

/** The names of files that differ. */
export function differences(one: Snapshot, other: Snapshot): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => one[name] !== other[name])
}

function describe(path: string): string {
  const stat = lstatSync(path)
  return `${stat.mode.toString(8)} ${stat.isFile() ? readFileSync(path, 'utf8') : ''}`
}
