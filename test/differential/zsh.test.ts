import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { effectsOf } from '../../src/shell/effects.ts'
import type { SimpleCommand } from '../../src/shell/vocabulary/command.ts'
import { isFileEffect, pathOf } from '../../src/shell/vocabulary/effect.ts'
import { readAsSeen } from '../../src/shell/walk/read-commands.ts'
import { mayMatch, mayMatchName } from '../../src/shell/words/patterns.ts'
import { exactForm, type Word } from '../../src/shell/words/words.ts'

/**
 * The real zsh runs each line in a folder of its own, where the only program is `x`, which notes its words. Whatever
 * it was called with, and whatever file it left, must be in our reading of the line, or the line must be refused.
 */
const LINES = [
  ...[
    "print '{}' >! out",
    "print '{}' >>! out",
    "print '{}' >!out",
    "print '{}' >| out",
    '>! out',
    'x a >! out b',
  ],
  ...["print '{}' &>! out", "print '{}' >&! out", "print '{}' &>| out", 'x a 2>! out', '(print a) >! out'],
  ...[
    'alias -g F=--force; eval "x push F"',
    'alias -g F=--force\nx push F',
    'alias -s md="x -rf"; eval "a.md"',
  ],
  ...['autoload zargs; zargs -- --force -- x push', 'autoload zargs; zargs a b -- x push'],
  ...['f=a/b; x $f:h', 'f=a/b; x ${f:h}', 'f=a/b/c; x $f:h:h', 'f=a/b.c; x $f:t:r', 'f=a/b.c; x "$f:e"'],
  ...['f=aXb; x $f:s/X/./', 'f=aXbX; x ${f:gs/X/./}', 'f=--FORCE; x ${f:l}', 'f=a; x $f:u', 'f=a:b; x $f'],
  ...['mkdir d; f=d/y; print a > $f:h/out', 'mkdir d; f=d/y; print a > ${f:h}/out', 'x $HOME:h'],
  ...['a=(x -r f); $a', 'a=(x -r f); "${a[@]}"', 'a=(x -r f); ${a[1]} ${a[2]} ${a[3]}', 'a=(x b); x $a[2]'],
  ...['v="x a b"; ${=v}', 'v="x a b"; ${(z)v}', 'v=a; a=--force; x ${(P)v}', 'x ${(Q):-"\'a\'"}', 'x ${:-a}'],
  ...[
    'setopt shwordsplit; v="a b"; x $v',
    'v="a b"; x $v',
    'v="*"; x $v',
    'x ${(L):-ABC}',
    'x ${(s:,:):-a,b}',
  ],
  ...['noglob x *', 'nocorrect x a', '- x a', 'command x a', '=x a', 'repeat 2 x a', 'repeat 1 { x a }'],
  ...[
    'for f (a b) x $f',
    'for f (a b) { x $f }',
    'foreach f (a b); x $f; end',
    'for i j in a b c d; do x $i $j; done',
  ],
  ...[
    'if [[ 1 == 1 ]] { x a }',
    'while x a; do break; done',
    'until x a { break }',
    '{ x a } always { x b }',
  ],
  ...[
    'function { x a }',
    '() { x $1 } a',
    'function f g { x a }; g',
    'f() x a; f',
    'TRAPEXIT() { x a }',
    'zshexit() { x a }',
  ],
  ...[
    'emulate sh -c "x a"',
    'eval x a',
    'x $(print a)',
    'x `print a`',
    'x =(print a) | true',
    'x <(print a) | true',
  ],
  ...[
    'hash -d n=$PWD; x ~n',
    'n=$PWD; x ~n',
    'typeset -A m; m[k]=a; x $m[k]',
    'x {a,b}{1,2}',
    'x {1..3}',
    'x ^a',
  ],
  ...[
    'touch a.b c.b; x *.b(:r)',
    'touch a; x *(N)',
    'x b*(N)',
    'touch a; x a~b',
    'setopt extendedglob; touch a b; x ^a',
  ],
  ...[
    'print x a | zsh -f',
    'zsh -fc "x a >! out"',
    'x a &! wait',
    'x a &|',
    'autoload add-zsh-hook; add-zsh-hook zshexit "x"',
  ],
  ...[
    'x $+x a',
    'x ${+x}',
    'x $#a',
    'x ${#:-abc}',
    "x $'a\\x62'",
    'x a\\ b',
    'x "a"\'b\'c',
    'x a # b',
    'x -- --force',
  ],
]

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-zsh-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each(LINES)('%j', (line) => {
  const home = join(folder, String(LINES.indexOf(line)))
  const work = join(home, 'work')
  const log = join(home, 'log')
  mkdirSync(work, { recursive: true })
  writeFileSync(
    join(home, 'x'),
    `#!/bin/sh\nfor w; do printf '%s\\036' "$w"; done >> '${log}'; echo >> '${log}'\n`,
  )
  chmodSync(join(home, 'x'), 0o755)
  const env = { PATH: `${home}:/usr/bin:/bin`, HOME: home, LC_ALL: 'C.UTF-8' }
  const { error } = spawnSync('zsh', ['-f', '-c', line], { cwd: work, env, stdio: 'ignore' })
  expect(error).toBeUndefined()

  const analysis = readAsSeen(line, { cwd: work, home })
  if (!analysis.judged) return
  const read = analysis.commands.filter((command) => command.opaque === undefined)
  if (read.length < analysis.commands.length) return
  const called = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []
  const missed = called.filter(
    (words) => !read.some((command) => isCall(command, words.split('\x1e').slice(0, -1))),
  )
  const written = effectsOf(read, home).flatMap(({ effect }) =>
    isFileEffect(effect) && effect.kind === 'write' ? [pathOf(effect, home)] : [],
  )
  const left = readdirSync(work, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('out'))
  const unseen = left.filter((name) => {
    const parts = join(work, name).split('/').slice(1)
    return !written.some(
      (path) =>
        path.parts.length === parts.length &&
        path.parts.every((part, at) => mayMatchName(part, parts[at] ?? '')),
    )
  })
  expect({ missed, unseen }).toEqual({ missed: [], unseen: [] })
})

/** Whether our reading of this command allows for these words. */
function isCall({ name, word, args }: SimpleCommand, words: readonly string[]): boolean {
  if (name === undefined) return true
  if (name !== 'x' && !word.forms.some((form) => mayMatch(form, 'x'))) return false
  const isOpen = args.some(
    ({ splits, forms }) => splits || forms.some((form) => form.some(({ kind }) => kind !== 'text')),
  )
  // A value with blanks is one word in zsh, which no program takes for an option: bash's reading is the stricter one.
  const isSplit = args.map(({ forms: [form = []] }) => exactForm(form)).join(' ') === words.join(' ')
  const fits = (each: Word, at: number) => each.forms.some((form) => mayMatch(form, words[at] ?? ''))
  return isOpen || isSplit || (args.length === words.length && args.every(fits))
}
