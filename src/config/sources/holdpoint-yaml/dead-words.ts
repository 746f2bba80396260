export type ShellPart = 'command' | 'subcommand' | 'flag' | 'argument'

/** Why no command can ever contain this word in this position. Such a rule would never match, without any notice. */
export function deadBecause(part: ShellPart, word: string): string | undefined {
  switch (part) {
    case 'command':
      return isLine(word)
        ? 'is a command line, not a program; use `subcommand`, `flag` and `argument` for the rest'
        : undefined
    case 'flag':
      if (word.includes('=')) return 'contains a value; write the option here and its value in `argument`'
      return /^[^-*?[]/.test(word) ? 'is not an option; options start with `-`' : undefined
    case 'subcommand':
      return deadSubcommand(word)
    default:
      return undefined
  }
}

/** A folder name may contain spaces; a program name may not. */
function isLine(word: string): boolean {
  const blank = word.search(/\s/)
  return blank >= 0 && (!word.slice(0, blank).includes('/') || /\s/.test(word.split('/').at(-1) ?? ''))
}

const SUBCOMMAND_WORDS_MAX = 3

function deadSubcommand(word: string): string | undefined {
  const words = word.split(/\s+/)
  if (words.join(' ') !== word) return 'must have exactly one space between words'
  if (words.length > SUBCOMMAND_WORDS_MAX) {
    return `has ${words.length} words, but at most ${SUBCOMMAND_WORDS_MAX} are compared; write the rest as \`argument\``
  }
  return words.some((each) => each.startsWith('-')) ? 'contains an option; write it as `flag`' : undefined
}
