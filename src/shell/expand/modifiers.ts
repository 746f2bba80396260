import { exactForm, type Form, textPiece } from '../words/words.ts'

/** The modifiers behind a name in zsh, `${f:h:t}` and `$f:s/a/b/`: bash takes them for an offset, or for text. */

const ONE = /^(?:[threlucaAPQq]|(g?)s([^\w\s])((?:(?!\2).)*)\2((?:(?!\2).)*)(?:\2|$))(?::|$)/

export function isModifier(text: string): boolean {
  return ONE.test(text)
}

/** The value with each of the modifiers carried out; undefined where that is not worked out. */
export function modified(value: Form, modifiers: string): Form | undefined {
  let text = exactForm(value)
  for (let rest = modifiers; rest !== '' && text !== undefined; ) {
    const found = ONE.exec(rest)
    if (found === null) return undefined
    const [whole, all, , from = '', to = ''] = found
    text =
      whole.includes('s') && from !== ''
        ? replaced(text, from, to, all === 'g')
        : CHANGES[whole[0] ?? '']?.(text)
    rest = rest.slice(whole.length)
  }
  return text === undefined ? undefined : text === '' ? [] : [textPiece(text)]
}

function replaced(text: string, from: string, to: string, all: boolean): string {
  return all ? text.replaceAll(from, () => to) : text.replace(from, () => to)
}

const same = (text: string) => text

const CHANGES: Readonly<Record<string, (text: string) => string>> = {
  h: (text) => text.replace(/\/+[^/]*\/*$/, '') || (text.startsWith('/') ? '/' : '.'),
  t: (text) => /[^/]*$/.exec(text.replace(/\/+$/, ''))?.[0] ?? text,
  r: (text) => text.replace(/\.[^./]*$/, ''),
  e: (text) => /\.([^./]*)$/.exec(text)?.[1] ?? '',
  l: (text) => text.toLowerCase(),
  u: (text) => text.toUpperCase(),
  ...{ a: same, A: same, P: same, q: same, Q: same },
}
