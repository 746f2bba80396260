import { getNodeValue, type Node } from 'jsonc-parser'
import type { InstallPlaces } from '../core/host.ts'
import type { Json } from '../core/json.ts'
import { readJsonText, valueAt } from './json-text.ts'

/** The settings of an agent that can keep our hooks from counting, at every level: a person's, a project's, a machine's. */
export interface Switches {
  files(where: InstallPlaces): readonly string[]
  /** What one of them says that does so, as the end of a sentence after the file's name. */
  off(text: string, file: string, where: InstallPlaces): string | undefined
}

/** The parts of an installer that tell of them. */
export function governedBy({ files, off }: Switches) {
  return { governing: files, switchesOff: off }
}

/** A setting that switches every hook off: the keys that lead there, and whether a value does it, as the agent reads it. */
export interface OffSwitch {
  readonly path: readonly string[]
  isOff(value: Json): boolean
}

/** A text that is not JSON is told by others. */
export function switchedOff(text: string, switches: readonly OffSwitch[]): string | undefined {
  const document = readJsonText(text)
  if (!document.ok) return undefined
  const found = switches.find(({ path, isOff }) => {
    const node = path.reduce<Node | undefined>((at, key) => valueAt(at, key), document.value.root)
    return node !== undefined && isOff(getNodeValue(node))
  })
  return found === undefined ? undefined : `has \`${found.path.join('.')}\`, which switches every hook off`
}

/** Where an agent looks for settings of a project: at its root, and where it is started. */
export function inProject(where: InstallPlaces, names: readonly string[]): readonly string[] {
  const folders = new Set([where.project, where.folder ?? where.project])
  return [...folders].flatMap((folder) => names.map((name) => `${folder}/${name}`))
}
