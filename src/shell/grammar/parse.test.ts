import { describe, expect, it } from 'vitest'
import { parse } from './parse.ts'
import { NESTING_MAX } from './parse-state.ts'
import { WORDS_MAX } from './words.ts'

describe('parse', () => {
  it.each([
    ['an open quote', 'echo "a'],
    ['an open group', '(ls'],
    ['an open substitution', 'echo $(ls'],
    ['an open substitution in braces', `F=-rf; rm \${ build`],
    ['a broken substitution in a word', 'echo "a$(if)"'],
    ['a broken back-quote', 'echo `if`'],
    ['a broken process substitution', 'cat <(if)'],
    ['a broken script in arithmetic', 'echo $(( $(if) ))'],
    ['a broken script in a default', `echo "\${x:-$(if)}"`],
    ['an end mark of a here-document with an open quote', "cat > .env <<'tasks /Query"],
    ['a broken script in a here-document', 'cat <<E\n$(if)\nE'],
    ['a broken script in a test', '[[ -f $(if) ]]'],
    ['a broken script in an index', 'a[$(if)]=1'],
    ['a broken script in braces', 'echo {a,$(if)}'],
    ['a broken script in a pattern', 'echo @(a|$(if))'],
    ['a redirection to nothing', 'ls >'],
    ['operators without commands', 'ls && || pwd'],
    ['a quoted command in arithmetic', "echo $(('$(rm x)'))"],
    ['a quoted command in a number', "echo $((1 + 'a[`rm x`]'))"],
    ['a quoted command in an index', `echo "\${a['$(rm x)']}"`],
    ['a quoted command in a slice', `echo \${x:'$(rm x)':1}`],
    ['a quoted command as the index of an assignment', "a['$(rm x)']=1"],
    ['a quoted command as the index of an element', "a=( ['$(rm x)']=1 )"],
    ['a variable with a command in its name', "let 'a[$(rm x)]=1'"],
    ['a variable with a command in its name, escaped', 'printf -v "a[\\$(rm x)]" y'],
    ['a number that runs a command', "[[ '1+a[$(rm x)]' -eq 1 ]]"],
    ['a number that runs a command later', "x='a[$(rm x)]'; echo $((x))"],
    ['a test for such a variable', "[ -v 'a[$(rm x)]' ]"],
  ])('refuses %s', (_name, text) => {
    const parsed = parse(text)
    expect(parsed.ok).toBe(false)
    if (!parsed.ok) expect(parsed.why).not.toBe('')
  })

  it.each([
    "echo 'a[$(rm x)]'",
    "echo '((a[$(rm x)]))' '[['",
    "grep -rn '$(rm' src",
    "git commit -m 'fix a[$(x)] in the Makefile'",
    'echo $((a[$(date +%d)] + 1))',
    'a["$(date +%d)"]=1',
    `echo "\${a[$i]}" "\${x:1:2}" '$(x)'`,
    "declare -A m=(['a b']=1)",
  ])('reads %s', (text) => {
    expect(parse(text)).toMatchObject({ ok: true })
  })

  it.each([
    ['groups', '('.repeat(NESTING_MAX + 6), 'ls', ')'.repeat(NESTING_MAX + 6)],
    ['substitutions', 'echo $('.repeat(NESTING_MAX + 6), 'ls', ')'.repeat(NESTING_MAX + 6)],
    ['ifs', 'if a; then '.repeat(NESTING_MAX + 6), 'b', '; fi'.repeat(NESTING_MAX + 6)],
  ])('refuses %s nested too deep', (_name, open, inside, close) => {
    expect(parse(open + inside + close).ok).toBe(false)
  })

  it('refuses too many words, and braces without end', () => {
    expect(parse(`echo ${'a '.repeat(WORDS_MAX)}`)).toMatchObject({
      ok: false,
      why: `it has more than ${WORDS_MAX} words`,
    })
    expect(parse(`echo {a,b}${'{'.repeat(30_000)}`).ok).toBe(false)
  })

  it.each([
    '',
    '# only a comment',
    'cat <<E\nnever closed',
    'x=1',
    '> file',
    'f() { ls; }',
    'a || '.repeat(500).concat('b'),
  ])('accepts %j', (text) => {
    expect(parse(text).ok).toBe(true)
  })

  it('says where a command stands, also inside escaped back-quotes', () => {
    const parsed = parse('ls; rm  -rf /')
    expect(parsed).toMatchObject({
      tree: {
        steps: [
          { start: 0, end: 2 },
          { start: 4, end: 13, source: 'rm  -rf /' },
        ],
      },
    })
  })
})
