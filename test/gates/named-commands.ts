import type { Command } from 'commander'
import { lexer, walkTokens } from 'marked'

/**
 * Commands of Holdpoint that a text advises must exist, with their verbs and options: complaints, or nothing.
 *
 * @example
 * wrongCommands(['holdpoint mux activate'], program) // ['holdpoint mux activate: there is no `activate`']
 */
export function wrongCommands(lines: readonly string[], program: Command): string[] {
  return [...new Set(lines)].flatMap((line) => {
    const [, ...words] = wordsOf(line.replace(/^npx /, ''))
    const complaint = complaintAbout(words, program)
    return complaint === undefined ? [] : [`${line}: ${complaint}`]
  })
}

/** What stands for anything: `<id>`, `[id]`, `ID`, `…`. */
const PLACEHOLDER = /^[<["'{]|…|\.\.\.|^[A-Z][A-Z_-]*$/

function complaintAbout(words: readonly string[], command: Command): string | undefined {
  const [first, ...rest] = words
  if (first === undefined) return undefined
  const next = command.commands.find((each) => [each.name(), ...each.aliases()].includes(first))
  if (next !== undefined) return complaintAbout(rest, next)
  if (first === 'help' || PLACEHOLDER.test(first)) return undefined
  if (command.commands.length > 0 && !first.startsWith('-') && command.registeredArguments.length === 0)
    return `there is no \`${first}\``
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  for (const word of own) {
    const [name = ''] = word.split('=')
    if (!/^--?[a-z][a-z-]*$/.test(name) || ['--help', '--version', '-h', '-V'].includes(name)) continue
    if (!command.options.some(({ long, short }) => long === name || short === name))
      return `there is no option \`${name}\``
  }
  return undefined
}

/** The words of a line as a shell reads them, up to what follows the command. Enough for lines that people type. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word)
  const end = words.findIndex((word) => /^(?:[|<>;#]|&&|\|\|)$/.test(word))
  return end === -1 ? words : words.slice(0, end)
}

/** Commands in the strings of a source, between backticks as messages write them. What is put in counts as a placeholder. */
export function commandsInSource(source: string): string[] {
  const code = source.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
  return commandsIn(
    code
      .join('\n')
      .replaceAll(/\$\{[^{}]*\}/g, '<value>')
      .replaceAll('\\`', '`'),
  )
}

/** Commands that a page shows as code, in a line or in a block of a shell. */
export function commandsInPage(page: string): string[] {
  const commands: string[] = []
  void walkTokens(lexer(page), (token) => {
    if (token.type === 'codespan') commands.push(...commandsIn(`\`${token.text}\``))
    if (token.type === 'code' && ['bash', 'console', 'sh'].includes(token.lang ?? ''))
      for (const line of String(token.text).split('\n'))
        commands.push(...commandsIn(`\`${line.replace(/^\$ /, '').replaceAll('`', '')}\``))
  })
  return commands
}

/** Between backticks, or behind `Run: `, as programs say it that have no layout. */
function commandsIn(text: string): string[] {
  const quoted = text.matchAll(/`((?:npx )?holdpoint [a-z-][^`\n]*)`/g)
  const told = text.matchAll(/\b[Rr]un: ((?:npx )?holdpoint [a-z][^`'"\n.;,]*)/g)
  return [...quoted, ...told].map(([, command = '']) => command.replace(/\\n$/, '').trim())
}
