import { foundPaths, readFind } from '../find.ts'
import type { Launch, LaunchCall, Launcher } from '../launch.ts'
import { textAt } from '../line-files.ts'
import { type ReadOptions, readOptions, valuesOf } from '../options.ts'
import { concatForms, exactText, exactWord, type Form, textPiece, type Word } from '../words.ts'
import { options } from '../wrappers/wrapper.ts'
import { parallelLaunch } from './parallel.ts'
import { itemsOf, merged, replaced, withEach } from './things.ts'

/** Programs that run a command once for each thing they find or read. */
export const EACH_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  find: findLaunch,
  fd: fdLaunch,
  fdfind: fdLaunch,
  xargs: xargsLaunch,
  gxargs: xargsLaunch,
  parallel: parallelLaunch,
  sem: parallelLaunch,
}

function findLaunch({ args }: LaunchCall): Launch {
  const call = readFind(args)
  const found = foundPaths(call)
  const runs = call.actions
    .filter((action) => action.words.length > 0)
    .map((action) => ({
      via: `find ${action.name}`,
      words: action.words.map((word) => replaced(word, '{}', found)),
      // -execdir runs in the folder of what was found.
      ...(action.name.endsWith('dir') ? { moved: { cwd: undefined } } : {}),
    }))
  return { own: args.length, runs }
}

/** Short options of fd that take the next word. */
const FD_VALUES =
  /^(-[a-zA-Z0-9]*[dteEcjSoC]|--(max-depth|min-depth|type|extension|exclude|color|threads|size|owner|base-directory|search-path|changed-within|changed-before|max-results|ignore-file|format))$/
const FD_EXECUTES = /^(?:-[HIusigalLp01qF]*[xX](.*)|--exec(?:-batch)?(?:=(.*))?)$/s
const FD_MARKERS = ['{}', '{/}', '{//}', '{.}', '{/.}']

function fdLaunch({ name, args }: LaunchCall): Launch | undefined {
  const operands: Word[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    const text = exactText(word)
    const executes = text === undefined ? null : FD_EXECUTES.exec(text)
    if (executes !== null) {
      const end = args.findIndex((each, index) => index > at && exactText(each) === ';')
      const attached = executes[1] || executes[2]
      const command = [
        ...(attached ? [exactWord(attached)] : []),
        ...args.slice(at + 1, end < 0 ? undefined : end),
      ]
      const words = withEach(command, FD_MARKERS, belowRoots(operands.slice(1), fdName(operands[0])))
      return command.length === 0
        ? undefined
        : { own: at, runs: [{ via: `${name} -x`, words, takesInput: true }] }
    }
    if (text !== undefined && FD_VALUES.test(text)) at += 1
    else if (word !== undefined && text?.startsWith('-') !== true) operands.push(word)
  }
  return undefined
}

/** `^\.env$` can only be one name. */
function fdName(pattern: Word | undefined): Form {
  const [, name] = /^\^((?:[\w-]|\\?\.)+)\$$/.exec(exactText(pattern) ?? '') ?? []
  return name === undefined ? [] : [textPiece(`/${name.replaceAll('\\', '')}`)]
}

function belowRoots(roots: readonly Word[], name: Form): Word {
  const forms = roots.length === 0 ? [[textPiece('.')]] : roots.flatMap((root) => root.forms)
  return {
    source: '{}',
    forms: forms.map((root) => concatForms(root, [textPiece('/'), { kind: 'unknown', text: '{}' }], name)),
    splits: true,
  }
}

const XARGS = options(
  '0|null a|arg-file= d|delimiter= E= e|eof=? I= i|replace=? J= L= l|max-lines=? n|max-args= o|open-tty P|max-procs= p|interactive process-slot-var= R= r|no-run-if-empty S= s|max-chars= t|verbose x|exit show-limits help version',
)

function xargsLaunch({ args, place, input }: LaunchCall): Launch {
  const read = readOptions(args, XARGS, { stopAtOperand: true })
  const words = args.slice(read.operandsAt)
  if (words.length === 0) return { own: args.length, runs: [] }
  const [file] = valuesOf(read, 'arg-file')
  const marker = markerOf(read)
  // With a marker every line is one thing.
  const isNull = read.options.some(({ name }) => name === 'null')
  const gap = isNull ? /\0+/ : marker === undefined ? /[\s\0]+/ : /[\n\0]+/
  const given = itemsOf(file === undefined ? input.forms : textAt(file, place), gap)
  const inner =
    marker === undefined
      ? [...words, ...given]
      : words.map((word) => replaced(word, marker, given.length === 1 ? given[0] : merged(given)))
  return { own: read.operandsAt, runs: [{ via: 'xargs', words: inner, takesInput: true }] }
}

function markerOf(read: ReadOptions): string | undefined {
  const given = read.options.find((option) => ['I', 'J', 'replace'].includes(option.name))
  return given === undefined ? undefined : (exactText(given.value) ?? '{}')
}
