import { eachWord } from '../../../core/word-list.ts'
import { readOptions, valuesOf } from '../../arguments/options.ts'
import { knownTextAt } from '../../expand/line-files.ts'
import {
  codeRun,
  type Launch,
  type LaunchCall,
  RUN_TIME_CODE,
  type StartedCommand,
} from '../../vocabulary/launch.ts'
import { isMade, isStandardInput } from '../../words/standard-input.ts'
import {
  concatForms,
  exactForm,
  exactText,
  exactWord,
  type Form,
  textPiece,
  type Word,
} from '../../words/words.ts'
import { scriptSource, valueAfter } from '../aspects/code-source.ts'
import {
  filesAfter,
  filesCalled,
  matchesIn,
  operandFiles,
  type ScriptFiles,
} from '../aspects/script-files.ts'
import { startedJar } from '../aspects/started-by.ts'
import { PLAIN } from '../aspects/wrapper.ts'
import { FOREIGN } from '../packages/acts.ts'
import type { ProgramTable } from '../program.ts'

/** Lines of a recipe are indented; `@` and `-` before them belong to the task runner. */
const RECIPE = /^[ \t]+[@-]{0,2}([^\s#][^\n]*)$/gm
/** `shell: x`, `command: x`, `cmd: x`, and the lines of a block after them. */
const TASK =
  /^\s*(?:-\s+)?(?:[\w.]*\.)?(?:shell|command|raw|cmd|run)\s*:\s*(?:[|>][+-]?\s*\n\s+)?["']?([^\n"']+)/gm

/** The commands in a file of tasks. */
export const tasksIn = (text: string): readonly string[] => matchesIn(text, TASK)
const recipesIn = (text: string): readonly string[] => matchesIn(text, RECIPE)
const sources: ScriptFiles = { files: operandFiles, language: 'other' }

const MAKE = `
  f|file|makefile= C|directory= I|include-dir= j|jobs=? l=? o|old-file= W|what-if= E|eval=
  n|just-print|dry-run|recon q|question p k s i B d e r R t w
`
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

/** Modules of the Go project and a few that every project uses. */
const GO_KNOWN =
  /\b(?:run|install)\s+(?:-\S+\s+)*(?:golang\.org|google\.golang\.org|honnef\.co|go\.uber\.org|k8s\.io|sigs\.k8s\.io|gotest\.tools|mvdan\.cc|gopkg\.in)\//
const GO_HOSTED = /\binstall\s+(?:-\S+\s+)*(?:github\.com|gitlab\.com)\//

/** Programs that build, and run what they are told to on the way. */
export const BUILD: ProgramTable = {
  'make gmake bmake pmake remake colormake checkinstall': {
    starts: makeLaunch,
    codeFrom: ({ args }) => scriptSource(valueAfter(args, /^(?:-f|--file|--makefile)$/)),
    entersFolder: (args) => valuesOf(readOptions(args, MAKE), 'directory'),
  },
  cmake: { starts: cmakeLaunch, codeFrom: ({ args }) => scriptSource(valueAfter(args, /^-P$/)) },
  'gcc g++ cc c++ clang gfortran': { starts: compilerLaunch },
  go: {
    lines: [
      [
        FOREIGN,
        /^(?:run|install)\s+(?:-\S+\s+)*[\w-]+(?:\.[\w-]+)+\/\S+@\S+/,
        new RegExp(`${GO_KNOWN.source}|${GO_HOSTED.source}`),
      ],
      [FOREIGN, /^run\s+(?:-\S+\s+)*(?:github\.com|gitlab\.com|https?:\/)\/\S+/],
    ],
    starts: goLaunch,
    fetchesCode: true,
    scripts: sources,
  },
  java: { startedBy: startedJar, scripts: sources },
  bats: { scripts: { files: operandFiles, commands: recipesIn } },
  just: {
    wraps: { ...PLAIN, after: '-c --command' },
    scripts: { files: justfiles, commands: recipesIn },
  },
  'task go-task': { scripts: { files: filesCalled('Taskfile.yml', 'Taskfile.yaml'), commands: taskLines } },
}

function makeLaunch({ name, args, place, input }: LaunchCall): Launch | undefined {
  const read = readOptions(args, MAKE)
  const files = valuesOf(read, 'makefile')
  const [folder] = valuesOf(read, 'directory').slice(-1).map(exactText)
  const inside = folder === undefined ? '' : `${folder.replace(/\/+$/, '')}/`
  const named: readonly Word[] =
    files.length === 0 ? MAKEFILES.map((file) => exactWord(`${inside}${file}`)) : files
  const own = named.flatMap((file) => (isStandardInput(file) ? input.forms : knownTextAt(file, place)) ?? [])
  const texts = [...own, ...own.flatMap((form) => included(exactForm(form) ?? '', inside, place))]
  const evaluated = valuesOf(read, 'eval').flatMap((word) => word.forms)
  const codes = [...texts, ...evaluated].flatMap((form) => recipes(exactForm(form) ?? ''))
  const shell = args.flatMap(
    (word) => /^(?:SHELL|CC|CXX|CPP|LD|AR|AS|FC|INSTALL)=(.*\s.*)$/.exec(exactText(word) ?? '')?.[1] ?? [],
  )
  const dry = read.options.some((option) => ['recon', 'question'].includes(option.name))
  if (files.some(isMade)) return { own: args.length, runs: [], opaque: RUN_TIME_CODE }
  const forms = [...(dry ? [] : codes), ...shell].slice(0, 32).map((code): Form => [textPiece(code)])
  return forms.length === 0
    ? undefined
    : { own: args.length, runs: [codeRun(name, forms, { shell: 'child', setting: true })] }
}

/** `include x.mk`, once: what those include in turn is not followed. */
function included(text: string, inside: string, place: LaunchCall['place']): readonly Form[] {
  const lists = [...text.matchAll(/^-?s?include\s+([^\n#]+)$/gm)].map(([, list = '']) => list.trim())
  const names = lists.flatMap((list) => list.split(/\s+/)).slice(0, 8)
  return names.flatMap((name) => knownTextAt(exactWord(`${inside}${name}`), place) ?? [])
}

/** `$(G)`, where the text says what G is. */
function withVariables(line: string, text: string): string {
  return line.replace(/\$[({](\w+)[)}]/g, (all, name: string) => {
    const [, value] = new RegExp(`^(?:export\\s+)?${name}\\s*[:?+]?=[ \\t]*(.*)$`, 'm').exec(text) ?? []
    return value === undefined || value.includes('$') ? all : value
  })
}

/** The lines after a tab or after `target: ;`, and `$(shell …)`; `$$` is a dollar. */
function recipes(text: string): readonly string[] {
  const joined = text.replace(/\\\n/g, ' ')
  const lines = [...joined.matchAll(/^(?:\t|[^\s#:=][^:=\n]*:[^=\n;]*;)\s*[@+-]*([^\n]+)$/gm)].map(
    ([, line = '']) => line,
  )
  const shells = [...joined.matchAll(/\$\(shell\s+([^\n()]*)\)|!=\s*([^\n]+)/g)].map(
    ([, call, assigned]) => call ?? assigned ?? '',
  )
  return [...lines, ...shells].map((line) => withVariables(line, joined).replace(/\$\$/g, '$'))
}

/** What each word of `cmake -E` is called elsewhere. */
const CMAKE: ReadonlyMap<string, string> = new Map([
  ...['cat', 'env', 'rm', 'tar', 'time', 'touch'].map((same) => [same, same] as const),
  ...eachWord('copy copy_if_different copy_if_newer', 'cp'),
  ...['', '_if_different', '_if_newer'].map((when) => [`copy_directory${when}`, 'cp -r'] as const),
  ['remove', 'rm'],
  ['remove_directory', 'rm -r'],
  ['rename', 'mv'],
  ['make_directory', 'mkdir -p'],
  ['create_symlink', 'ln -s'],
  ['create_hardlink', 'ln'],
  ['chdir', 'env -C'],
])

/** `cmake -E remove_directory build` */
function cmakeLaunch({ name, args }: LaunchCall): Launch | undefined {
  const [mode, applet, ...rest] = args
  const program = exactText(mode) === '-E' ? CMAKE.get(exactText(applet) ?? '') : undefined
  if (program === undefined) return undefined
  return { own: 2, runs: [{ via: `${name} -E`, words: [...program.split(' ').map(exactWord), ...rest] }] }
}

/** Single-dash options of the Go tools: `go test -exec program`. */
function goLaunch({ name, args }: LaunchCall): Launch | undefined {
  const runs = args.flatMap((word, at): readonly StartedCommand[] => {
    const found = /^--?(exec|toolexec|vettool)(?:=(.*))?$/s.exec(exactText(word) ?? '')
    if (found === null) return []
    const value = found[2] === undefined ? args[at + 1] : exactWord(found[2])
    return value === undefined
      ? []
      : [codeRun(`${name} -${found[1]}`, [concatForms(...value.forms)], { setting: true })]
  })
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

/** `gcc -wrapper program,argument x.c` */
function compilerLaunch({ name, args }: LaunchCall): Launch | undefined {
  const at = args.findIndex((word) => exactText(word) === '-wrapper')
  const text = at < 0 ? undefined : exactText(args[at + 1])
  return text === undefined
    ? undefined
    : { own: args.length, runs: [{ via: `${name} -wrapper`, words: text.split(',').map(exactWord) }] }
}

function justfiles(args: readonly Word[]): readonly Word[] {
  const given = filesAfter(/^(?:-f|--justfile)$/)(args)
  return given.length > 0 ? given : ['justfile', 'Justfile', '.justfile'].map(exactWord)
}

function taskLines(text: string): readonly string[] {
  return [...tasksIn(text), ...matchesIn(text, /^\s+-\s+["']?([^\n"':]+)["']?$/gm)]
}
