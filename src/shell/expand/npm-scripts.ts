import { exactText, exactWord, type Word } from '../words/words.ts'

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

/** The scripts that a package.json holds; none where it is not one. */
export function scriptsIn(text: string): readonly { readonly name: string; readonly code: string }[] {
  const found = /"scripts"\s*:\s*(\{[^{}]*\})/.exec(text)?.[1] ?? '{}'
  return [...found.matchAll(/"([^"\\]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, name = '', code = '']) => ({
    name,
    code: code.replace(/\\(["\\/])/g, '$1'),
  }))
}

const SHORT: Readonly<Record<string, string>> = {
  t: 'test',
  tst: 'test',
  test: 'test',
  start: 'start',
  stop: 'stop',
}

/** The scripts that a call runs: the one it names, those around it, and those of an install. */
export function scriptsAsked(program: string, args: readonly Word[]): readonly string[] {
  const words = args.map((word) => exactText(word) ?? '').filter((word) => !word.startsWith('-'))
  const [verb = program === 'yarn' ? 'install' : '', name] = words
  if (/^(?:install|i|in|ci|add|isntall|rebuild|install-test|it|pack|publish|link)$/.test(verb)) return INSTALL
  const asked = /^(?:run|run-script|rum|urn)$/.test(verb) ? name : shortScript(program, verb)
  return asked === undefined ? [] : [asked, `pre${asked}`, `post${asked}`]
}

const INSTALL = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'prepack',
]

function shortScript(program: string, verb: string): string | undefined {
  if (Object.hasOwn(SHORT, verb)) return SHORT[verb]
  return program === 'npm' || verb === '' ? undefined : verb
}

/** Stands among the files of the line for the script of this name. */
export function scriptFile(name: string): Word {
  return exactWord(`/dev/npm-script/${name}`)
}
