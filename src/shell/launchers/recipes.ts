import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { knownTextAt } from '../expand/line-files.ts'
import { codeRun, type Launch, type LaunchCall, type Launcher, RUN_TIME_CODE } from '../vocabulary/launch.ts'
import { isMade, isStandardInput } from '../words/standard-input.ts'
import { exactForm, exactText, exactWord, type Form, textPiece, type Word } from '../words/words.ts'

/** Programs whose input is a file of recipes: those it is given here are read. */
export const RECIPE_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  make: makeLaunch,
  gmake: makeLaunch,
  expect: expectLaunch,
}

const MAKE = optionTable(`
  f|file|makefile= C|directory= I|include-dir= j|jobs=? l=? o|old-file= W|what-if= E|eval=
  n|just-print|dry-run|recon q|question p k s i B d e r R t w
`)
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

function makeLaunch({ name, args, place, input }: LaunchCall): Launch | undefined {
  const read = readOptions(args, MAKE)
  const files = valuesOf(read, 'makefile')
  const named: readonly Word[] = files.length === 0 ? MAKEFILES.map(exactWord) : files
  const texts = named.flatMap(
    (file) => (isStandardInput(file) ? input.forms : knownTextAt(file, place)) ?? [],
  )
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

/** The lines after a tab or after `target: ;`, and `$(shell …)`; `$$` is a dollar. */
function recipes(text: string): readonly string[] {
  const joined = text.replace(/\\\n/g, ' ')
  const lines = [...joined.matchAll(/^(?:\t|[^\s#:=][^:=\n]*:[^=\n;]*;)\s*[@+-]*([^\n]+)$/gm)].map(
    ([, line = '']) => line,
  )
  const shells = [...joined.matchAll(/\$\(shell\s+([^\n()]*)\)|!=\s*([^\n]+)/g)].map(
    ([, call, assigned]) => call ?? assigned ?? '',
  )
  return [...lines, ...shells].map((line) => line.replace(/\$\$/g, '$'))
}

const EXPECT = /(?:^|[\n;{])\s*(?:spawn|exec|system)\s+(?:-\w+\s+)*([^\n;}]+)/g

function expectLaunch({ name, args, input, place }: LaunchCall): Launch | undefined {
  const read = readOptions(args, optionTable('c= f= b= d n N i'))
  const given = valuesOf(read, 'c').map(exactText)
  const files = [...valuesOf(read, 'f', 'b'), ...read.operands.slice(0, 1)]
  const written = files.flatMap((file) => knownTextAt(file, place) ?? []).map(exactForm)
  const isInput = args.length === 0 || files.some(isStandardInput)
  const texts = [...given, ...written, ...(isInput ? (input.forms?.map(exactForm) ?? []) : [])]
  const codes = texts.flatMap((text) =>
    [...(text ?? '').matchAll(EXPECT)].map(([, code = '']) => code.replace(/[{}]/g, '')),
  )
  if (codes.length === 0) return undefined
  const forms = codes.slice(0, 16).map((code): Form => [textPiece(code)])
  return { own: args.length, runs: [codeRun(`${name} -c`, forms, { shell: 'child', setting: true })] }
}
