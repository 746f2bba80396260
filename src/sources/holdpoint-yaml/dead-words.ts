export type ShellPart = 'command' | 'subcommand' | 'flag' | 'argument'

/** Why no command ever has this word in that place; then the rule would watch nothing, and nobody would hear of it. */
export function deadBecause(part: ShellPart, word: string): string | undefined {
  switch (part) {
    case 'command':
      return isLine(word)
        ? 'is a command line, not a program; write `subcommand`, `flag` and `argument` beside it'
        : undefined
    case 'flag':
      if (word.includes('=')) return 'holds a value; name the option here and its value in `argument`'
      return /^[^-*?[]/.test(word) ? 'is no option; those start with `-`' : undefined
    case 'subcommand':
      return deadSubcommand(word)
    default:
      return undefined
  }
}

/** A folder may have blanks in its name, a program has none. */
function isLine(word: string): boolean {
  const blank = word.search(/\s/)
  return blank >= 0 && (!word.slice(0, blank).includes('/') || /\s/.test(word.split('/').at(-1) ?? ''))
}

const SUBCOMMAND_WORDS_MAX = 3

function deadSubcommand(word: string): string | undefined {
  const words = word.split(/\s+/)
  if (words.join(' ') !== word) return 'must have one blank between two words'
  if (words.length > SUBCOMMAND_WORDS_MAX) {
    return `has ${words.length} words, and at most ${SUBCOMMAND_WORDS_MAX} are looked at together; write the rest as \`argument\``
  }
  return words.some((each) => each.startsWith('-')) ? 'holds an option; write it as `flag`' : undefined
}
