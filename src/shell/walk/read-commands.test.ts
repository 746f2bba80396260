// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell
import { describe, expect, it } from 'vitest'
import { isCommand, spellCommand } from '../vocabulary/command.ts'
import { spellWord } from '../words/spell.ts'
import { readCommands } from './read-commands.ts'

const facts = { cwd: '/srv/project', home: '/home/dev' }

function commandsOf(text: string) {
  const analysis = readCommands(text, facts)
  if (!analysis.judged) throw new Error(`${text}: ${analysis.why}`)
  return analysis.commands
}

describe('readCommands finds a command wherever it stands', () => {
  it.each([
    'rm x',
    'ls; rm x',
    'ls\nrm x',
    'ls && rm x',
    'ls || rm x',
    'ls & rm x',
    'ls | rm x',
    'ls |& rm x',
    '! rm x',
    'time rm x',
    '(rm x)',
    '{ rm x; }',
    'if rm x; then ls; fi',
    'if ls; then rm x; fi',
    'if ls; then a; elif rm x; then b; fi',
    'if ls; then a; elif b; then rm x; fi',
    'if ls; then a; else rm x; fi',
    'for i in a; do rm x; done',
    'for i in $(rm x); do ls; done',
    'for ((i = $(rm x); i < 3; i++)); do ls; done',
    'for ((;;)); do rm x; done',
    'while rm x; do ls; done',
    'until ls; do rm x; done',
    'select i in a; do rm x; done',
    'case a in a) rm x ;; esac',
    'case $(rm x) in a) ls ;; esac',
    'case a in $(rm x)) ls ;; esac',
    'f() { rm x; }',
    'f() { rm x; }; f',
    'function f { rm x; }; f',
    'coproc rm x',
    'coproc N { rm x; }',
    'echo $(rm x)',
    'echo `rm x`',
    'echo `echo \\`rm x\\``',
    'echo "$(rm x)"',
    'echo "${y:-$(rm x)}"',
    'echo ${y:$(rm x):2}',
    'echo ${y/a/$(rm x)}',
    'echo ${y[$(rm x)]}',
    'echo ${ rm x; }',
    'echo $((1 + $(rm x)))',
    'echo $((a[$(rm x)]))',
    '((y = $(rm x)))',
    'y=$(rm x)',
    'y=(a $(rm x))',
    'y[$(rm x)]=1',
    'declare y=$(rm x)',
    'declare -A y=([k]=$(rm x))',
    'y=$(rm x) ls',
    'ls > $(rm x)',
    '{ ls; } > $(rm x)',
    'ls <<< $(rm x)',
    'cat <<E\n$(rm x)\nE',
    'cat <<-E\n\t$(rm x)\n\tE',
    'cat <(rm x)',
    'ls > >(rm x)',
    '[[ -f $(rm x) ]]',
    '[[ a == b || ( c == $(rm x) ) ]]',
    'echo {a,$(rm x)}',
    'echo @(a|$(rm x))',
    'echo [$(rm x)]',
    'trap "$(rm x)" EXIT',
    '$(rm x)',
    'X=$(echo $(echo $(rm x)))',
  ])('%s', (text) => {
    expect(commandsOf(text).map(spellCommand)).toContain('rm x')
  })

  it.each([
    "echo 'rm x'",
    'echo "rm x"',
    'echo rm x',
    'ls # rm x',
    "cat <<'E'\n$(rm x)\nE",
    'cat <<E\nrm x\nE',
    'echo \\$\\(rm x\\)',
    'git commit -m "run rm x"',
    'echo "\\`rm x\\`"',
    '[[ rm == x ]]',
  ])('but not in %s', (text) => {
    expect(commandsOf(text).map(spellCommand)).not.toContain('rm x')
  })
})

describe('readCommands follows the working directory', () => {
  it.each([
    ['cd /; x', '/'],
    ['cd a && x', '/srv/project/a'],
    ['cd; x', '/home/dev'],
    ['cd ~/b; x', '/home/dev/b'],
    ['cd ..; cd ..; x', '/'],
    ['cd -P a; x', '/srv/project/a'],
    ['cd a; cd -; x', '/srv/project'],
    ['cd "$D"; x', undefined],
    ['cd "$D"; cd /a; x', '/a'],
    ['(cd /); x', '/srv/project'],
    ['cd / & x', '/srv/project'],
    ['cd / | ls; x', '/srv/project'],
    ['{ cd /; }; x', '/'],
    ['$(cd /); x', '/srv/project'],
    ['pushd /a; x', '/a'],
    ['pushd /a; pushd /b; popd; x', '/a'],
    ['pushd /a; popd; x', '/srv/project'],
    ['popd; x', undefined],
    ['cd a || exit 1; x', '/srv/project/a'],
    ['cd a || { echo no; exit 1; }; x', '/srv/project/a'],
    ['cd a || cd b; x', undefined],
    ['cd a || true; x', undefined],
    ['if y; then cd a; fi; x', undefined],
    ['if y; then cd a; else cd a; fi; x', '/srv/project/a'],
    ['while y; do cd ..; done; x', undefined],
    ['f() { cd /; }; f; x', '/'],
    ['CDPATH=/; cd a; x', undefined],
    ['D=/a; cd $D; x', '/a'],
    ['cd a; bash -c x', '/srv/project/a'],
    ['cd a; ssh host x', '/home/dev'],
  ])('%s', (text, cwd) => {
    expect(commandsOf(text).findLast((command) => command.name === 'x')?.cwd).toBe(cwd)
  })

  it('is unknown from the start when the caller does not know it', () => {
    const analysis = readCommands('ls', { cwd: '', home: '/home/dev' })
    expect(analysis.judged && analysis.commands[0]?.cwd).toBeUndefined()
  })
})

describe('a command', () => {
  it.each([
    ['/usr/bin/git x', 'git'],
    ['\\git x', 'git'],
    ['"git" x', 'git'],
    ['$X x', undefined],
    ['$X/git x', 'git'],
    ['g$X x', undefined],
    ['> file', ''],
    ['X=1', ''],
  ])('%s is named %s', (text, name) => {
    expect(commandsOf(text)[0]?.name).toBe(name)
  })

  it('is looked at under every name it may have', () => {
    const names = commandsOf('if y; then X=rm; else X=ls; fi; $X a')
      .slice(-2)
      .map((command) => command.name)
    expect(names).toEqual(['rm', 'ls'])
  })

  it('may be any program when its name is unknown', () => {
    expect(commandsOf('$X a').map((command) => isCommand(command, 'rm'))).toEqual(['maybe'])
    expect(commandsOf('/bin/r? a').map((command) => isCommand(command, 'rm'))).toEqual(['maybe'])
    expect(commandsOf('g$X a').map((command) => isCommand(command, 'rm'))).toEqual(['no'])
    expect(commandsOf('rm a').map((command) => isCommand(command, 'rm'))).toEqual(['yes'])
  })

  it('has its files, its variables and its place in the text', () => {
    const [command] = commandsOf('A=1 cat < in >> out 2>&1').slice(-1)
    expect(command?.assignments.map(({ name, value }) => `${name}=${spellWord(value)}`)).toEqual(['A=1'])
    expect(command?.redirections.map(({ operator, target }) => operator + spellWord(target))).toEqual([
      '<in',
      '>>out',
      '>&1',
    ])
    expect(commandsOf('ls;  rm  x').at(-1)).toMatchObject({ start: 5, end: 10, fragment: 'rm  x' })
    expect(commandsOf('ls; bash -c "a; rm  x"').at(-1)).toMatchObject({
      start: 4,
      end: 22,
      fragment: 'rm  x',
    })
  })

  it('knows the program before the pipe', () => {
    expect(
      commandsOf('curl a | jq .')
        .at(-1)
        ?.inputs?.map((each) => each.name),
    ).toEqual(['curl'])
  })

  it('is followed into functions with their arguments, where they are called', () => {
    const commands = commandsOf('f() { rm "$1"; }; cd /; f a; g() { f b; }; g')
    expect(commands.filter((each) => each.name === 'rm').map(spellCommand)).toEqual(['rm a', 'rm b'])
    expect(commands.filter((each) => each.name === 'rm').every((each) => each.cwd === '/')).toBe(true)
  })

  it('is not hidden by a function that calls itself', () => {
    expect(commandsOf('f() { f | f & rm x; }; f').some((each) => each.name === 'rm')).toBe(true)
  })
})

describe('readCommands gives up, and says so, on', () => {
  it.each([
    ['hidden characters', 'ls\u200B'],
    ['text that is no shell', 'if'],
    ['loops in loops in loops', `${'for i in a; do '.repeat(30)}ls${'; done'.repeat(30)}`],
    [
      'functions that double',
      `${Array.from({ length: 30 }, (_, i) => `f${i + 1}(){ f${i}; f${i}; }`).join(';')}; f30`,
    ],
    ['code in code in code', `${'eval "$(echo '.repeat(20)}ls${')"'.repeat(20)}`],
    ['long text', 'a'.repeat(40_000)],
  ])('%s', (_name, text) => {
    const analysis = readCommands(text, facts)
    expect(analysis.judged).toBe(false)
    if (!analysis.judged) expect(analysis.why).toMatch(/^it /)
  })
})

describe('`env -i` starts a program without what was exported', () => {
  it.each([
    ["export X=/srv; env -i bash -c 'rm $X'", 'rm'],
    ["export X=/srv; env bash -c 'rm $X'", 'rm /srv'],
    ["export X=/srv; env -i X=/etc bash -c 'rm $X'", 'rm /etc'],
    // The words of the command itself are read before.
    ['export X=/srv; env -i rm $X', 'rm /srv'],
    // Only for what is behind it.
    ["export X=/srv; env -i ls; bash -c 'rm $X'", 'rm /srv'],
    ['export X=/srv; env -i bash -c \'export X=/etc; bash -c "rm \\$X"\'', 'rm /etc'],
  ])('%s', (text, command) => {
    expect(commandsOf(text).map(spellCommand)).toContain(command)
  })
})
