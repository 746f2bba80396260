// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell
import { describe, expect, it } from 'vitest'
import { spellCommand } from '../vocabulary/command.ts'
import { readCommands } from '../walk/read-commands.ts'

/** The last command of the text, as it would run in /srv/project. */
function last(text: string): string {
  const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) return `cannot be judged: ${analysis.why}`
  const command = analysis.commands.at(-1)
  return command === undefined ? '' : spellCommand(command)
}

describe('expansion', () => {
  it.each([
    // Quoting.
    [`x 'a b' "a b" a\\ b`, `x 'a b' 'a b' 'a b'`],
    [`r\\m "r"'m' ""rm`, 'rm rm rm'],
    [`x $'\\x41\\t' $"a"`, `x 'A\t' a`],
    ['x "" \'\'', "x '' ''"],
    ['x a\\\nb', 'x ab'],
    // Home and folders.
    ['x ~ ~/a ~root/a ~alice', 'x /home/dev /home/dev/a /root/a /home/alice'],
    ['x "~" \\~ a~ --f=~/x', 'x ~ ~ a~ --f=~/x'],
    [`x $HOME \${HOME}/a "$HOME"/b $PWD ~+`, 'x /home/dev /home/dev/a /home/dev/b /srv/project /srv/project'],
    ['HOME=/tmp/h; x ~ $HOME', 'x /tmp/h /tmp/h'],
    ['cd /a; cd b; x $PWD $OLDPWD ~-', 'x /a/b /a /a'],
    ['x $TMPDIR/y $USER $SHELL', 'x /tmp/y dev /bin/bash'],
    // Variables.
    ['X=-rf; rm $X /', 'rm -rf /'],
    ["X='-rf /'; rm $X", 'rm -rf /'],
    ['X=\'-rf /\'; rm "$X"', "rm '-rf /'"],
    ["X='*'; rm $X", 'rm *'],
    ['X=; x $X "$X" a', "x '' a"],
    ['X=a X=b; x $X', 'x b'],
    ['X=a; X+=b; x $X', 'x ab'],
    ['X=a; Y=$X/c; x $Y', 'x a/c'],
    ['X=a x $X', 'x ‹$X›'],
    ['export X=a; x $X', 'x a'],
    ['declare -r X=a; X=b; x $X', 'x a'],
    ['declare T={a,b}; x "$T"', 'x {a|b}'],
    ['X=a; unset X; x "$X"', "x ''"],
    ['X=a; read X; x $X', 'x ‹$X›'],
    ['read X <<< rm; $X -rf', 'rm -rf'],
    ['X=a; printf -v X %s-%s b c; x $X', 'x b-c'],
    ['declare -n N=X; X=a; x $N', 'x a'],
    ['read A B <<< "rm -rf /"; x $A $B', 'x rm -rf /'],
    ["while read -r l; do x $l; done <<< $'a\\nb'", 'x {a|b}'],
    ['X=a; ((X = 5)); x $X', 'x ‹$X›'],
    ['if c; then X=a; else X=b; fi; x $X', 'x {a|b}'],
    ['X=a; if c; then X=b; fi; x $X', 'x {a|b}'],
    ['X=a; while c; do X=b; done; x $X', 'x {‹$X›|b}'],
    ['X=a; (X=b); x $X', 'x a'],
    ['X=a; X=b | c; x $X', 'x a'],
    ['for f in a b; do x $f; done', 'x {a|b}'],
    ['for f in *.txt; do x $f; done', 'x *.txt'],
    ['A=(a "b c"); x "${A[@]}" ${A[1]}', "x a 'b c' b c"],
    // The first element in bash, all of them in zsh.
    ['A=(a "b c"); x $A', 'x ‹$A›'],
    ['A=(a); x $A', 'x a'],
    ['A=(a b); x "$A"', 'x {a|a b}'],
    ['A=(a b); x $A[2] "$A[@]"', 'x ‹$A[2]› ‹"$A[@]"›'],
    // Characters of a text, and modifiers without braces, in zsh alone.
    ['X=abc; x $X[1,2]', 'x ‹$X[1,2]›'],
    ['X=/a/b; x $X:t "$X:tag"', 'x {/a/b:t|b} /a/b:tag'],
    ['x ${(f)$(ls)}', 'x ‹${(f)$(ls)}›'],
    ['x "$X[0-9]"', 'x ‹$X›[0-9]'],
    ['A=(a); A+=(b); x "${A[@]}"', 'x a b'],
    ['N=X; X=a; x ${!N} ${#X}', 'x a [0-9]*'],
    // Parameter expansion.
    ['x ${X:-a} "${X:-a b}"', 'x {‹${X:-a}›|a} {‹${X:-a b}›|a b}'],
    ['X=; x ${X:-a} ${X:+b}', 'x a'],
    ['X=c; x ${X:-a} ${X:+b}', 'x c b'],
    ['X=c; x ${X:?gone}', 'x c'],
    ['unset X; : ${X:=a}; x $X', 'x a'],
    ['X=a.txt; x ${X%.txt} ${X#a.}', 'x a txt'],
    ['X=aXbX; x ${X/X/y} ${X//X/y} ${X/#a/y} ${X/%X/y} ${X/?/y}', 'x aybX ayby yXbX aXby ‹${X/?/y}›'],
    ['X=abc; x ${X^^} ${X^} ${X:1} ${X:1:1} ${X: -2} ${X:0:-1}', 'x ABC Abc bc b bc ab'],
    ['X=RM; x ${X,,} ${X,} ${X@L}', 'x rm rM rm'],
    ['X=/usr/bin/rm.sh; x ${X##*/} ${X%.*} ${X%%/*} ${X#*/}', 'x rm.sh /usr/bin/rm usr/bin/rm.sh'],
    ['for f in *.txt; do x "${f%.txt}.md" "${f#a}"; done', 'x *.md ‹${f#a}›'],
    ['unset X; x ${X-a} ${X+b} "${X-}"', "x a ''"],
    ['X=; x "${X-a}" ${X+b}', "x '' b"],
    // Splitting by hand.
    ['rm${IFS}-rf${IFS}/', 'rm -rf /'],
    ["IFS=:; X='rm:-rf'; $X a", 'rm -rf a'],
    ["IFS=$(cat f); X='rm:-rf'; $X", '‹$IFS›'],
    ["IFS=; X='a b'; x $X", "x 'a b'"],
    ['mapfile -t A <<< $\'a b\\nc\'; x "${A[0]}" ${A[1]}', "x 'a b' c"],
    ['x "$(cd ~ && pwd)" $(cd a; cd ..; pwd)', 'x /home/dev /srv/project'],
    // Braces and patterns.
    ['x {a,b}/c .env{,.local}', 'x a/c b/c .env .env.local'],
    ['x {a,"b c",$HOME}', "x a 'b c' /home/dev"],
    ['x a* "a*" [ab]? @(a|b)', 'x a* a* [ab]? @(a|b)'],
    ['X={a,b}; x $X', 'x {a|b}'],
    // Substitution.
    ['x $(echo a b) "$(echo a b)"', "x a b 'a b'"],
    ["x $(printf '%s-%s' a b) $(pwd)/y `echo z`", 'x a-b /srv/project/y z'],
    ['x "$(cat <<\'E\'\nline $1\nE\n)"', "x 'line $1'"],
    ['x $(command -v rm) $(which git)', 'x /usr/bin/rm /usr/bin/git'],
    ['x $(mktemp -d)/y $$', 'x /tmp/tmp.XXXXXXXXXX/y [0-9]*'],
    ['x $(mktemp -dt a.XXX) $(mktemp -p /b) $(mktemp ./c.XXX)', 'x /tmp/a.XXX /b/tmp.XXXXXXXXXX ./c.XXX'],
    ['x $(ls) "$(cat f)" $((1 + 1))', 'x ‹$(ls)› ‹$(cat f)› ‹$((1 + 1))›'],
    ['x $(find . -name .env)', 'x ./‹{}›/.env'],
    ['x <(ls)', 'x ‹<(ls)›'],
    ['x $(echo cm0= | base64 -d) $(echo mr | rev) $(echo 726d | xxd -r -p)', 'x rm rm rm'],
  ])('%s', (text, expected) => {
    expect(last(text)).toBe(expected)
  })

  it('knows nothing of a text that has grown without bound', () => {
    expect(last(`X=aaaa; ${'X=$X$X; '.repeat(40)}x "$X"`)).toMatch(/^x ‹/)
  })

  it('knows nothing of a text in too many pieces', () => {
    expect(last(`x "${'a$U'.repeat(100)}"`)).toBe('x ‹…›')
  })

  it('gives up on too many combinations instead of leaving some out', () => {
    const choices = Array.from(
      { length: 6 },
      (_, index) => `if c; then X${index}=a; else X${index}=b; fi`,
    ).join('; ')
    expect(last(`${choices}; x $X0$X1$X2$X3$X4$X5`)).toBe('x ‹$X0$X1$X2$X3$X4$X5›')
  })
})
