import { getNodeValue, type Node } from 'jsonc-parser'
import { readJsonText, valueAt } from './json-text.ts'

/** Settings that switch every hook off: the keys that lead there, and the value that does it. */
export interface OffSwitch {
  readonly path: readonly string[]
  readonly value: unknown
}

/** What in a text of settings switches hooks off, in plain words. A text that is not JSON is told by others. */
export function switchedOff(text: string, switches: readonly OffSwitch[]): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok) return []
  return switches.flatMap(({ path, value }) => {
    const node = path.reduce<Node | undefined>((at, key) => valueAt(at, key), document.value.root)
    if (node === undefined || getNodeValue(node) !== value) return []
    return [`\`${path.join('.')}: ${String(value)}\` switches every hook off. Remove it.`]
  })
}
