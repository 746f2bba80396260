import type { InstructionFile } from './instruction-starts.ts'
import { listedIn } from './instructions.ts'

/**
 * The text of instructions as an agent program completes it: placeholders become what the instructions are given, as text,
 * before a shell reads it. Programs count positions from 0 or from 1, so both are returned, and the text itself.
 */
export function argumentTexts({ path, text }: InstructionFile, args: string): readonly string[] {
  const words = wordsOf(args)
  const names = listedIn(text, 'arguments')
  const folder = path.slice(0, path.lastIndexOf('/'))
  const filled = [0, 1].map((first) => {
    const at = (position: string) => words[Number(position) - first]
    return names
      .reduce((all, name, index) => all.replace(placeholder(name), () => words[index] ?? ''), text)
      .replace(/\$ARGUMENTS\[(\d+)\]/g, (_all, index: string) => words[Number(index)] ?? '')
      .replace(/\$(\d+)/g, (all, position: string) => at(position) ?? (words.length === 0 ? '' : all))
      .replaceAll('$ARGUMENTS', () => args)
      .replace(/\$\{CLAUDE_SKILL_DIR\}|\$CLAUDE_SKILL_DIR\b/g, () => folder)
  })
  return [...new Set([text, ...filled])]
}

function placeholder(name: string): RegExp {
  return new RegExp(`\\$${name.replace(/[^\w]/g, '\\$&')}(?![\\[\\w])`, 'g')
}

/** Split as a shell does: quotes keep a word together, and are not part of it. */
function wordsOf(args: string): readonly string[] {
  const words = args.match(/(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s])+/g) ?? []
  return words.map((word) =>
    word.replace(
      /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g,
      (_all, double?: string, single?: string, escaped?: string) =>
        double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
    ),
  )
}
