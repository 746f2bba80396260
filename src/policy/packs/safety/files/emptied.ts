import { type Event, toolOf } from '../../../../core/event.ts'
import { textAt } from '../../../../core/json.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText } from '../../../../shell/words/words.ts'

/** The file is added to, and keeps what it holds. */
export function isAppended({ name, args, redirections, inline }: SimpleCommand): boolean {
  if (name === 'tee') return args.some((word) => /^(?:-[a-z]*a[a-z]*|--append)$/.test(word.source))
  const code = inline?.code.map((form) => form.map((piece) => piece.text).join('')).join('\n') ?? ''
  if (/['"]a[b+]*['"]|append/i.test(code)) return true
  const writes = redirections.filter(({ operator }) => /^&?>/.test(operator))
  return (
    writes.length > 0 &&
    writes.every(({ operator, descriptor }) => operator.endsWith('>>') || descriptor === 2)
  )
}

/** Nothing of the file is left, whatever it held: `: > x`, `cp /dev/null x`, `truncate -s 0 x`, `dd of=x`. */
export function emptiesFile(command: SimpleCommand | undefined, event: Event): boolean {
  if (command === undefined || isAppended(command)) return false
  const words = command.args.map((word) => exactText(word) ?? word.source)
  const redirects = command.redirections.some(({ operator }) => /^&?>\|?$/.test(operator))
  if (redirects) return printsNothing(command, words, event)
  const line = words.join(' ')
  switch (command.name) {
    case 'truncate':
      return /(?:^|\s)(?:-s|--size)[ =]?0+(?:\s|$)/.test(line)
    case 'dd':
      return words.some((word) => word.startsWith('of='))
    case 'sed':
      return sedLeavesNothing(words)
    case 'awk':
    case 'gawk':
      return /(?:^|\s)-i ?inplace\s/.test(line) && !/print|(?:^|[\s;}])[1-9](?:[\s;]|$)/.test(line)
    case 'ed':
    case 'ex':
    case 'vi':
    case 'vim':
    case 'nvim':
      return DELETES_ALL.test(command.fragment)
    case 'sponge':
      return isFromNull(command)
    case 'cp':
    case 'install':
    case 'sort':
    case 'ln':
      return words.includes('/dev/null')
    case 'tee':
      return isFromNull(command)
    default:
      return false
  }
}

/** All lines, in the language of ed and of vi. */
const DELETES_ALL = /(?:^|[\s:'"|+])(?:%|1,\$|0,\$|,)d(?:elete)?(?![a-z])/

function isFromNull({ redirections }: SimpleCommand): boolean {
  return redirections.some(({ operator, target }) => operator === '<' && exactText(target) === '/dev/null')
}

/** In place, and every line is deleted, emptied, or not printed. */
function sedLeavesNothing(words: readonly string[]): boolean {
  if (!words.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word))) return false
  const isQuiet = words.some((word) => /^(?:-[a-zA-Z]*n|--quiet$|--silent$)/.test(word))
  const given = words.findIndex((word) => /^(?:-[a-zA-Z]*e|--expression)$/.test(word))
  const script = (given < 0 ? words.find((word) => !word.startsWith('-')) : words[given + 1]) ?? ''
  if (isQuiet) return !/[pPwriac]/.test(script)
  return /^\s*(?:(?:0|1),\$|\/(?:\^|\.\*|\^\.\*\$)?\/)?\s*\{?\s*[dz]\s*[;}]?\s*$|^\s*s(.)\^?\.\*\$?\1\1g?\s*$/.test(
    script,
  )
}

function printsNothing(command: SimpleCommand, words: readonly string[], event: Event): boolean {
  const { name = '', inputs } = command
  if (name === '') {
    // `{ …; } > x` has its commands in the text; a redirection alone has none.
    const text = textAt(toolOf(event)?.input ?? {}, 'command') ?? ''
    return !/[})]\s*\d?&?>/.test(text) && !/\bdone\s*\d?>|\bfi\s*\d?>|\besac\s*\d?>/.test(text)
  }
  if (name === ':' || name === 'true' || name === 'false') return true
  const rest = words.filter((word) => !/^-[neE]+$/.test(word)).join('')
  if (name === 'echo' || name === 'printf') return rest === ''
  // What is piped to it counts only where it names no file.
  return (
    name === 'cat' && (rest === '/dev/null' || (rest === '' && inputs === undefined && isFromNull(command)))
  )
}
