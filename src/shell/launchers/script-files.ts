import { eachWord } from '../../core/word-list.ts'
import {
  filesAfter,
  filesCalled,
  matchesIn,
  operandFiles,
  type ScriptFiles,
} from '../programs/aspects/script-files.ts'
import { exactWord, type Word } from '../words/words.ts'

/** Lines of a recipe are indented; `@` and `-` before them belong to the task runner. */
const RECIPE = /^[ \t]+[@-]{0,2}([^\s#][^\n]*)$/gm
/** `shell: x`, `command: x`, `cmd: x`, and the lines of a block after them. */
const TASK =
  /^\s*(?:-\s+)?(?:[\w.]*\.)?(?:shell|command|raw|cmd|run)\s*:\s*(?:[|>][+-]?\s*\n\s+)?["']?([^\n"']+)/gm
/** `shell x`, `!x`, `:!x`, `system("x")`. */
const ESCAPE = /^\s*:?\s*(?:silent!?\s+)?(?:!|shell\s+|make\s+)([^\n]+)$/gm
const CALLED = /\b(?:system|systemlist|shell-command|call-process|execute)\s*\(?\s*["']([^"'\n]+)["']/g

function escapes(text: string): readonly string[] {
  return [...matchesIn(text, ESCAPE), ...matchesIn(text, CALLED)]
}

const vim: ScriptFiles = { files: filesAfter(/^-[SsuU]$/), commands: escapes }
const debuggers: ScriptFiles = { files: filesAfter(/^(?:-x|-s|-S|--command|--source)$/), commands: escapes }
const emacs: ScriptFiles = { files: filesAfter(/^(?:--script|-l|--load|-x)$/), language: 'other' }
const ansible: ScriptFiles = { files: operandFiles, commands: (text) => matchesIn(text, TASK) }
const sources: ScriptFiles = { files: operandFiles, language: 'other' }

export const READERS: ReadonlyMap<string, ScriptFiles> = new Map<string, ScriptFiles>([
  ...eachWord('pytest py.test nose2 green', { files: operandFiles, language: 'python' } as ScriptFiles),
  ...eachWord('vitest jest mocha ava tap jasmine zx', {
    files: operandFiles,
    language: 'javascript',
  } as ScriptFiles),
  ['rspec', { files: operandFiles, language: 'ruby' }],
  ['rake', { files: filesCalled('Rakefile', 'rakefile', 'Rakefile.rb'), language: 'ruby' }],
  ...eachWord('inv invoke fab', {
    files: filesCalled('tasks.py', 'fabfile.py'),
    language: 'python',
  } as ScriptFiles),
  ['phpunit', { files: operandFiles, language: 'php' }],
  ['bats', { files: operandFiles, commands: (text) => matchesIn(text, RECIPE) }],
  ['just', { files: justfiles, commands: (text) => matchesIn(text, RECIPE) }],
  ...eachWord('task go-task', {
    files: filesCalled('Taskfile.yml', 'Taskfile.yaml'),
    commands: taskLines,
  } as ScriptFiles),
  ['ansible-playbook', ansible],
  ...eachWord('go java javac swift kotlin kotlinc rust-script zig crystal nim v dart dotnet', sources),
  ...eachWord('vim nvim vi view ex gvim', vim),
  ...eachWord('gdb lldb', debuggers),
  ['emacs', emacs],
])

function justfiles(args: readonly Word[]): readonly Word[] {
  const given = filesAfter(/^(?:-f|--justfile)$/)(args)
  return given.length > 0 ? given : ['justfile', 'Justfile', '.justfile'].map(exactWord)
}

function taskLines(text: string): readonly string[] {
  return [...matchesIn(text, TASK), ...matchesIn(text, /^\s+-\s+["']?([^\n"':]+)["']?$/gm)]
}
