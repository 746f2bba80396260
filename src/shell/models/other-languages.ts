import { eachWord } from '../../core/word-list.ts'
import type { ShellEffect } from '../vocabulary/effect.ts'
import { exactText, type Form, type Word } from '../words/words.ts'
import type { Model, ModelCases } from './model.ts'

/** How each is given code on the line; what it finds on standard input is code too. */
const CODE_AFTER: ReadonlyMap<string, RegExp> = new Map([
  ...eachWord(
    'groovy scala scala-cli julia elixir swift crystal kotlin ghc racket',
    /^(-e|-E|-p|--eval|--execute-scala-script|--print|eval)$/,
  ),
  ...eachWord('clojure clj bb guile ocaml octave raku nim', /^(-e|-c|--eval|--expression)$/),
  ...eachWord('sbcl clisp ecl', /^(-x|--?eval)$/),
  ...eachWord('emacs emacsclient', /^(-e|--?eval|--?execute)$/),
  ...eachWord('erl escript', /^-eval$/),
  ...eachWord('iex jshell tclsh wish expect m4 ghci', /^(-e|-c|-s)$/),
])

/**
 * Languages whose code is not read. Code of theirs that starts programs or deletes files is said to be known only at
 * run time; a script in a file is a program like any other.
 */
export const otherLanguages: Model = {
  programs: [...CODE_AFTER.keys()],
  effects({ name, command, input }) {
    const option = CODE_AFTER.get(name) ?? /^-e$/
    const given = input()
    const onLine = command.args.filter((_, at) => option.test(exactText(command.args[at - 1]) ?? ''))
    const attached = command.args.filter((word) =>
      /^(-e|--?eval=|--?execute=|-c)\S/.test(exactText(word) ?? ''),
    )
    const code = [...onLine, ...attached].flatMap((word: Word) => word.forms)
    const all = given.kind === 'text' ? [...code, ...given.forms] : code
    return all.some((form) => ACTS.test(textOf(form))) ? [UNREAD] : []
  },
}

const UNREAD: ShellEffect = {
  kind: 'exec',
  from: 'unknown',
  what: 'runs code in a language that is not read here, which starts programs or deletes files',
  unsure: 'what it starts or deletes is known only at run time',
}

/** What starting a program and deleting a file are called in these languages. */
const ACTS = new RegExp(
  [
    /\b(exec[lv]?p?e?|execute|system|spawn|popen|syscmd|esyscmd|callProcess|readProcess)\b/,
    /\b(Process|ProcessBuilder|Runtime|Sys\.command|Port\.open|sys\.process|run-program|shell-command)\b/,
    /\bos:cmd\b|:os\.cmd|System\.(cmd|shell)|\brun\s*\(\s*`|java\.shell|\(sh\s|\bshell\s*\(|\bProc\b/,
    /\b(delete|remove|unlink|rmdir|rmtree|rm_rf|removeItem|deleteDir|deleteRecursively)\w*\s*[!([]|\bfile delete\b/,
    /\bFile\.rm|Files?\.delete|\.delete\(\)|\brm\s*\(|delete-(file|directory)|\bunlink\b/,
    /\((call-process|start-process|make-process|write-region|write-file|rename-file|copy-file)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

function textOf(form: Form): string {
  return form.map((piece) => piece.text).join('')
}

export const cases: ModelCases = [
  [`groovy -e '"ls".execute()'`, 'exec unknown ?'],
  [`groovy -e 'println 1 + 1'`],
  [`scala -e 'import sys.process._; "ls".!'`, 'exec unknown ?'],
  [`scala-cli --version`],
  ["julia -e 'run(`ls`)'", 'exec unknown ?'],
  [`julia -e 'println(sum(1:10))'`],
  ['julia --project=. script.jl'],
  [`elixir -e 'System.cmd("ls", [])'`, 'exec unknown ?'],
  [`elixir -e 'IO.puts(System.version())'`],
  [
    `swift -e 'import Foundation; Process.launchedProcess(launchPath: "/bin/ls", arguments: [])'`,
    'exec unknown ?',
  ],
  ['swift build -c release'],
  ['swift test'],
  [`crystal eval 'puts 1'`],
  ['kotlin -version'],
  [`ghc -e 'System.Process.system "ls"'`, 'exec unknown ?'],
  ['ghci --version'],
  [`racket -e '(delete-file "x")'`, 'exec unknown ?'],
  [`clojure -e '(clojure.java.shell/sh "ls")'`, 'exec unknown ?'],
  [`clj -M:test`],
  [`bb -e '(babashka.fs/delete-tree "x")'`],
  [`guile -c '(system "ls")'`, 'exec unknown ?'],
  [`ocaml -e 'Sys.command "ls"'`, 'exec unknown ?'],
  [`octave --eval 'disp(1)'`],
  [`raku -e 'say 1'`],
  ['nim c app.nim'],
  [`sbcl --eval '(run-program "ls" nil)'`, 'exec unknown ?'],
  ['clisp -x "(+ 1 2)"'],
  ['ecl --version'],
  [`emacs --batch --eval '(delete-directory "~/notes" t)'`, 'exec unknown ?'],
  [`emacs -Q --batch --eval='(call-process "ls")'`, 'exec unknown ?'],
  [`emacs --batch --eval '(princ emacs-version)'`],
  ['emacs --batch -f batch-byte-compile a.el'],
  [`emacsclient -e '(write-region "" nil "a")'`, 'exec unknown ?'],
  [`emacsclient --eval '(buffer-list)'`],
  [`erl -noshell -eval 'os:cmd("ls"), halt().'`, 'exec unknown ?'],
  [`erl -noshell -eval 'io:format("~p", [1]), halt().'`],
  ['escript build.escript'],
  ['iex -S mix'],
  [`echo 'Runtime.getRuntime().exec("ls")' | jshell -`, 'exec unknown ?'],
  ["tclsh <<< 'exec ls'", 'exec unknown ?'],
  ["tclsh <<< 'puts hello'"],
  ['wish app.tcl'],
  [`expect -c 'spawn ls; expect eof'`, 'exec unknown ?'],
  [`echo 'syscmd(ls)' | m4`, 'exec unknown ?'],
  ['m4 config.m4'],
]
