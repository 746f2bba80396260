import type { SimpleCommand } from '../vocabulary/command.ts'
import type { Word } from '../words/words.ts'
import { type DataOrigin, type FlowState, together } from './flow-state.ts'

/** What the words of a command carry: `$(cat .env)`, `<(curl …)`, `$CODE`. */
export function wordOrigins(
  words: readonly Word[],
  command: SimpleCommand,
  scene: FlowState,
): readonly DataOrigin[] {
  const texts = new Set(
    words
      .flatMap((word) => word.forms.flat())
      .flatMap((piece) => (piece.kind === 'unknown' ? [piece.text] : [])),
  )
  return together(...[...texts].map((text) => textOrigins(text, command, scene)))
}

/** The same for a piece of the line as it was written. */
export function textOrigins(text: string, command: SimpleCommand, scene: FlowState): readonly DataOrigin[] {
  // What code was put together from is no longer seen inside it, only in the command that runs the code.
  if (text === '…') return holeOrigins(command, scene)
  const variables = [...text.matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => scene.variables.get(name) ?? [])
  const substituted = /\$\(|`|<\(/.test(text)
    ? printedTogether(substitutedIn(text, command, scene), scene)
    : []
  return together(...variables, substituted)
}

function holeOrigins(command: SimpleCommand, scene: FlowState): readonly DataOrigin[] {
  const outer = [...scene.outputs.keys()].findLast((each) => {
    return each.start === command.start && each.end === command.end && each.via.length < command.via.length
  })
  return outer === undefined || outer.fragment === '…' ? [] : textOrigins(outer.fragment, outer, scene)
}

/** The commands that stand inside the text, found again by how they are written. */
function substitutedIn(text: string, command: SimpleCommand, scene: FlowState): readonly SimpleCommand[] {
  scene.budget.left -= scene.outputs.size
  const before = [...scene.outputs.keys()].filter((each) => depthOf(each) > 0 && each !== command)
  const found = before.filter((each) => each.fragment !== '' && text.includes(each.fragment))
  if (found.length > 0) return found
  return before.filter((each) => each.start === command.start && each.end === command.end)
}

/** What the commands print together: not what goes on to another of them, nor into the words of one. */
export function printedTogether(commands: readonly SimpleCommand[], scene: FlowState): readonly DataOrigin[] {
  // Inside out: what stands in the words of a command comes before it.
  const depth = depthOf(commands.at(-1) ?? { via: [] })
  const consumed = new Set<SimpleCommand>()
  const last: SimpleCommand[] = []
  // From the end: what one that was passed on had read was passed on before it.
  for (const each of commands.toReversed()) {
    scene.budget.left -= 1
    if (consumed.has(each)) continue
    for (const before of each.inputs ?? []) consumed.add(before)
    scene.budget.left -= each.inputs?.length ?? 0
    if (depthOf(each) === depth) last.push(each)
  }
  return together(...last.map((each) => scene.outputs.get(each) ?? []))
}

/** How many substitutions deep. */
export function depthOf(command: Pick<SimpleCommand, 'via'>): number {
  return command.via.filter((how) => /^[$<>]\(/.test(how)).length
}
