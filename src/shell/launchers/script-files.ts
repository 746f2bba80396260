import { eachWord } from '../../core/word-list.ts'
import { readInline } from '../code/read.ts'
import { knownTextAt } from '../expand/line-files.ts'
import type { Language } from '../vocabulary/command.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../vocabulary/launch.ts'
import { exactForm, exactText, exactWord, type Form, textPiece, type Word } from '../words/words.ts'

/**
 * Programs that run what a file of this line or session holds, and are neither a shell nor an interpreter: test runners,
 * compilers that run what they built, task runners, debuggers and editors with a script.
 */
export function scriptFileLaunch(call: LaunchCall): Launch | undefined {
  const reader = READERS.get(call.name)
  if (reader === undefined || call.place.files.size === 0) return undefined
  const texts = reader.files(call.args).flatMap((word) => knownTextAt(word, call.place) ?? [])
  if (texts.length === 0) return undefined
  const own = call.args.length
  if (reader.language === undefined) {
    const lines = texts.flatMap((form) => reader.commands?.(exactForm(form) ?? '') ?? [])
    const forms = lines.slice(0, LINES_MAX).map((line): Form => [textPiece(line)])
    const runs: readonly StartedCommand[] =
      forms.length === 0 ? [] : [codeRun(call.name, forms, { shell: 'child', setting: true })]
    return { own, runs }
  }
  const inline = { language: reader.language, code: texts }
  const { runs, opaque } = readInline(inline, call.name)
  return { own, runs, inline, ...(opaque === undefined ? {} : { opaque }) }
}

const LINES_MAX = 32

interface Reader {
  /** The files among its arguments, or those it looks for by itself. */
  files(args: readonly Word[]): readonly Word[]
  /** The language of the file, where it is one … */
  readonly language?: Language
  /** … or the commands in it. */
  commands?(text: string): readonly string[]
}

function operands(args: readonly Word[]): readonly Word[] {
  return args
    .filter((word) => !/^-/.test(exactText(word) ?? ''))
    .map((word) => {
      const test = /^([^:]+\.\w+)::/.exec(exactText(word) ?? '')?.[1]
      return test === undefined ? word : exactWord(test)
    })
}

function after(option: RegExp): Reader['files'] {
  return (args) =>
    args.flatMap((word, at) => {
      if (at > 0 && option.test(exactText(args[at - 1]) ?? '')) return [word]
      const [name = '', value] = (exactText(word) ?? '').split('=', 2)
      return value !== undefined && option.test(name) ? [exactWord(value)] : []
    })
}

const named =
  (...names: readonly string[]) =>
  () =>
    names.map(exactWord)

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((found) => found[1] ?? '')
}

/** Lines of a recipe are indented; `@` and `-` before them belong to the task runner. */
const RECIPE = /^[ \t]+[@-]{0,2}([^\s#][^\n]*)$/gm
/** `shell: x`, `command: x`, `cmd: x`, and the lines of a block after them. */
const TASK =
  /^\s*(?:-\s+)?(?:[\w.]*\.)?(?:shell|command|raw|cmd|run)\s*:\s*(?:[|>][+-]?\s*\n\s+)?["']?([^\n"']+)/gm
/** `shell x`, `!x`, `:!x`, `system("x")`. */
const ESCAPE = /^\s*:?\s*(?:silent!?\s+)?(?:!|shell\s+|make\s+)([^\n]+)$/gm
const CALLED = /\b(?:system|systemlist|shell-command|call-process|execute)\s*\(?\s*["']([^"'\n]+)["']/g

function escapes(text: string): readonly string[] {
  return [...matches(text, ESCAPE), ...matches(text, CALLED)]
}

const vim: Reader = { files: after(/^-[SsuU]$/), commands: escapes }
const debuggers: Reader = { files: after(/^(?:-x|-s|-S|--command|--source)$/), commands: escapes }
const emacs: Reader = { files: after(/^(?:--script|-l|--load|-x)$/), language: 'other' }
const ansible: Reader = { files: operands, commands: (text) => matches(text, TASK) }
const sources: Reader = { files: operands, language: 'other' }

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...eachWord('pytest py.test nose2 green', { files: operands, language: 'python' } as Reader),
  ...eachWord('vitest jest mocha ava tap jasmine zx', { files: operands, language: 'javascript' } as Reader),
  ['rspec', { files: operands, language: 'ruby' }],
  ['rake', { files: named('Rakefile', 'rakefile', 'Rakefile.rb'), language: 'ruby' }],
  ...eachWord('inv invoke fab', { files: named('tasks.py', 'fabfile.py'), language: 'python' } as Reader),
  ['phpunit', { files: operands, language: 'php' }],
  ['bats', { files: operands, commands: (text) => matches(text, RECIPE) }],
  ['just', { files: justfiles, commands: (text) => matches(text, RECIPE) }],
  ...eachWord('task go-task', {
    files: named('Taskfile.yml', 'Taskfile.yaml'),
    commands: taskLines,
  } as Reader),
  ['ansible-playbook', ansible],
  ...eachWord('go java javac swift kotlin kotlinc rust-script zig crystal nim v dart dotnet', sources),
  ...eachWord('vim nvim vi view ex gvim', vim),
  ...eachWord('gdb lldb', debuggers),
  ['emacs', emacs],
])

function justfiles(args: readonly Word[]): readonly Word[] {
  const given = after(/^(?:-f|--justfile)$/)(args)
  return given.length > 0 ? given : ['justfile', 'Justfile', '.justfile'].map(exactWord)
}

function taskLines(text: string): readonly string[] {
  return [...matches(text, TASK), ...matches(text, /^\s+-\s+["']?([^\n"':]+)["']?$/gm)]
}
