import { isWindowsCall, isWindowsOption } from '../../arguments/windows-options.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import {
  concatForms,
  exactText,
  exactWord,
  type Form,
  joinWords,
  patternForm,
  textPiece,
  type Word,
} from '../../words/words.ts'
import type { ProgramTable } from '../program.ts'

/** The command line of Windows: its own commands are read as the ones we know that do the same. */
export const CMD: ProgramTable = {
  'cmd cmd.exe': { starts: cmdLaunch },
  start: { starts: startLaunch },
  'rd erase': { starts: bareLaunch },
}

/** `rmdir /s x`: elsewhere these are other programs, but none of them has such options. */
export function windowsLaunch(call: LaunchCall): Launch | undefined {
  return isWindowsCall(call.args) ? bareLaunch(call) : undefined
}

/** `start /b "title" program …` */
function startLaunch({ name, args }: LaunchCall): Launch | undefined {
  const at = args.findIndex(
    (word) => !/^\/+[a-z]+$/i.test(exactText(word) ?? '') && !/^["']/.test(word.source),
  )
  return at < 0 ? undefined : { own: at, runs: [{ via: name, words: args.slice(at) }] }
}

/** `cmd /c code` */
function cmdLaunch({ name, args }: LaunchCall): Launch | undefined {
  const at = args.findIndex((word) => /^\/+[ck]$/i.test(exactText(word) ?? ''))
  if (at < 0) return undefined
  const given = args.slice(at + 1)
  const texts = given.map(meant)
  const parts = texts.includes(undefined) ? [] : partsOf(texts.join(' '))
  const own = parts.map(({ words }) => asKnown(words))
  const runs = own.flatMap((words): readonly StartedCommand[] =>
    words === undefined ? [] : [{ via: name, words }],
  )
  // What is left is as good as code of any shell.
  const rest = parts.map(({ text, mark }, index) => (own[index] === undefined ? text : ':') + mark).join('')
  const code = runs.length === 0 ? joinWords(given) : [[textPiece(rest)]]
  return { own: at + 1, runs: [...runs, codeRun(name, code, { setting: true })] }
}

/** Typed where a Unix shell reads it. */
function bareLaunch({ name, args }: LaunchCall): Launch | undefined {
  const words = asKnown([name, ...args.map((word) => meant(word) ?? '%?%')])
  return words === undefined ? undefined : { own: args.length, runs: [{ via: name, words }] }
}

/** The shell takes the backslashes out of a path without quotes; whoever wrote it meant them. */
function meant(word: Word): string | undefined {
  const text = exactText(word)
  return text !== undefined && /^[^'"$`]*\\[^'"$`]*$/.test(word.source) ? word.source : text
}

interface Part {
  readonly text: string
  readonly words: readonly string[]
  /** What ends it. */
  readonly mark: string
}

function partsOf(code: string): readonly Part[] {
  return [...code.matchAll(/((?:"[^"]*"|[^"&|\n])*)(&&|\|\||[&|\n"]|$)/g)].map(
    ([, text = '', mark = '']) => ({
      text,
      mark,
      words: (text.match(/(?:"[^"]*"|[^\s"])+/g) ?? []).map((word) => word.replaceAll('"', '')),
    }),
  )
}

/** The command as one of a Unix shell; undefined where it is none of Windows' own, or harmless. */
function asKnown([first = '', ...rest]: readonly string[]): readonly Word[] | undefined {
  const options = rest.filter(isWindowsOption)
  const targets = rest.filter((word) => !isWindowsOption(word))
  const deep = options.some((word) => /\/s/i.test(word))
  if (targets.length === 0) return undefined
  const as = (...words: readonly string[]) => [...words.map(exactWord), ...targets.map(pathWord)]
  switch (first.toLowerCase()) {
    case 'rd':
    case 'rmdir':
      return deep ? as('rm', '-r') : as('rmdir')
    case 'del':
    case 'erase':
      return deep ? deletedBelow(targets) : as('rm')
    case 'type':
    case 'more':
      return as('cat')
    case 'copy':
    case 'xcopy':
      return as('cp')
    case 'move':
    case 'ren':
    case 'rename':
      return as('mv')
    default:
      return undefined
  }
}

/** `del /s C:\x\*.obj` looks for the name in every folder below. */
function deletedBelow(targets: readonly string[]): readonly Word[] {
  const [target = ''] = targets
  const [, folder = '', name = target] = /^(.*[\\/])([^\\/]*)$/s.exec(target) ?? []
  const below = pathWord(folder === '' ? '.' : folder)
  return name === '' || /^\*(\.\*)?$/.test(name)
    ? [exactWord('find'), below, exactWord('-delete')]
    : [exactWord('find'), below, exactWord('-name'), exactWord(name), exactWord('-delete')]
}

const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/^%(USERPROFILE|HOMEPATH|HOME)%$/i, '~'],
  [/^%(HOMEDRIVE|SYSTEMDRIVE)%$/i, ''],
  [/^%(TEMP|TMP)%$/i, '/tmp'],
  [/^%CD%$/i, '.'],
  [/^%(SYSTEMROOT|WINDIR|PROGRAMFILES|PROGRAMDATA)%$/i, '/Windows'],
]

/** A path of Windows as one of ours: the root of a drive is a root. */
function pathWord(path: string): Word {
  const plain = path
    .replace(/\\+/g, '/')
    .replace(/^[A-Za-z]:(?=\/|$)/, (drive) => (drive === path ? '/' : ''))
  const forms = plain.split(/(%[\w()?]+%)/).map((part): Form => {
    if (!/^%.+%$/.test(part)) return patternForm(part)
    const known = KNOWN.find(([pattern]) => pattern.test(part))?.[1]
    return known === undefined ? [{ kind: 'unknown', text: part }] : known === '' ? [] : [textPiece(known)]
  })
  return { source: path, forms: [concatForms(...forms)], splits: false }
}
