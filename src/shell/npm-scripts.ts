import { exactText, exactWord, type Word } from './words.ts'

/** `npm pkg set scripts.test=code`: by themselves only words, until the same line asks for the script by its name. */
export function scriptsSet(
  args: readonly Word[],
): readonly { readonly name: string; readonly code: string }[] {
  const words = args.map((word) => exactText(word) ?? '')
  const at = words.findIndex((word) => word === 'pkg' || word === 'set-script')
  if (words[at] === 'set-script') return [{ name: words[at + 1] ?? '', code: words[at + 2] ?? '' }]
  if (at < 0 || words[at + 1] !== 'set') return []
  return words.slice(at + 2).flatMap((word) => {
    const [, name, code] = /^scripts[.[]([^=\]]+)\]?=(.+)$/s.exec(word) ?? []
    return name === undefined || code === undefined ? [] : [{ name, code }]
  })
}

const SHORT: Readonly<Record<string, string>> = {
  t: 'test',
  tst: 'test',
  test: 'test',
  start: 'start',
  stop: 'stop',
}

/** The script that a call asks for by its name. */
export function scriptAsked(args: readonly Word[]): string | undefined {
  const words = args.map((word) => exactText(word) ?? '').filter((word) => !word.startsWith('-'))
  const [verb = '', name] = words
  return /^(?:run|run-script|rum|urn)$/.test(verb)
    ? name
    : Object.hasOwn(SHORT, verb)
      ? SHORT[verb]
      : undefined
}

/** Stands among the files of the line for the script of this name. */
export function scriptFile(name: string): Word {
  return exactWord(`/dev/npm-script/${name}`)
}
