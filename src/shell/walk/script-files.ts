import { readInline } from '../code/read.ts'
import { knownTextAt } from '../expand/line-files.ts'
import type { ScriptFiles } from '../programs/aspects/script-files.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../vocabulary/launch.ts'
import { exactForm, type Form, textPiece } from '../words/words.ts'

/** What a program runs of the files that this line or session wrote, where it is neither a shell nor an interpreter. */
export function runScriptFiles(scripts: ScriptFiles, call: LaunchCall): Launch | undefined {
  if (call.place.files.size === 0) return undefined
  const texts = scripts.files(call.args).flatMap((word) => knownTextAt(word, call.place) ?? [])
  if (texts.length === 0) return undefined
  const own = call.args.length
  if (scripts.language === undefined) {
    const lines = texts.flatMap((form) => scripts.commands?.(exactForm(form) ?? '') ?? [])
    const forms = lines.slice(0, LINES_MAX).map((line): Form => [textPiece(line)])
    const runs: readonly StartedCommand[] =
      forms.length === 0 ? [] : [codeRun(call.name, forms, { shell: 'child', setting: true })]
    return { own, runs }
  }
  const inline = { language: scripts.language, code: texts }
  const { runs, opaque } = readInline(inline, call.name, call.place)
  return { own, runs, inline, ...(opaque === undefined ? {} : { opaque }) }
}

const LINES_MAX = 32
