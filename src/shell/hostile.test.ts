import { describe, expect, it } from 'vitest'
import { readCommands } from './walk/read-commands.ts'
import { SIZE_MAX, WHOLE_MAX } from './words/gate.ts'

const place = { cwd: '/srv/app', home: '/home/dev' }
const many = (count: number, text: string) => Array(count).fill(text).join('')

/** Built-in code is bounded by counted steps: what would take for ever is given up, and the rest is still read. */
describe('a command made to be slow', () => {
  it.each<[string, string]>([
    ['a split variable, over and over', `rm -rf / ; x='${many(1500, 'a ')}'; echo ${many(1500, '$x')}`],
    ['five defaults and thousands of quotes', `rm -rf / ; echo ${many(5, '${a0:-x}')}${many(14_000, '""')}`],
    ['thousands of empty quotes', `rm -rf / ; echo ${many(14_000, '""')}`],
    ['thousands of braces', `rm -rf / ; echo ${many(2_500, '{a,b}')}`],
    ['thousands of assignments', `rm -rf / ; ${many(3_000, 'a=$a$a;')} echo $a`],
    ['thousands of nested quotes', `rm -rf / ; echo ${many(3_000, '"\'"')}`],
    ['thousands of words', `rm -rf / ; echo ${many(4_000, 'a ')}`],
    ['thousands of files', `rm -rf / ; ${many(1_500, 'echo a > b$RANDOM;')} sh b`],
    ['thousands of wrappers', `rm -rf / ; ${many(4_000, 'env ')} ls`],
    ['thousands of xargs', `rm -rf / ; echo a ${many(1_000, '| xargs -I{} echo {}{}')}`],
    ['brackets in other languages', `rm -rf / ; python3 -c '${many(15_000, '([')}'`],
    ['quotes in other languages', `rm -rf / ; node -e "${many(9_000, "'`")}"`],
    ['fillings in other languages', `rm -rf / ; python3 -c 'f"${many(9_000, '{a')}"'`],
    ['values that double', `rm -rf / ; python3 -c 'x="a"\n${many(1_500, 'x=x+x\n')}os.system(x)'`],
    ['choices that double', `rm -rf / ; python3 -c 'for x in "ab".split():\n${many(900, ' x=x+x\n')}'`],
    ['comments that never end', `rm -rf / ; pwsh -c '${many(4_000, '<#')}'`],
    ['awk that never ends', `rm -rf / ; awk '${many(7_000, '"a" ')}'`],
    ['sed of thousands', `rm -rf / ; sed '${many(4_000, 's,a,b,;')}'`],
    [
      'functions that read code',
      `rm -rf / ; f0(){ python3 -c '${many(900, 'x=1;')}'; }; ${doubling(20)} f20`,
    ],
    ['make without end', `rm -rf / ; make -f - <<< '${many(9_000, 'a:')}'`],
    ['aliases of aliases', `rm -rf / ; ${many(400, 'alias a=b; alias b=a; a;')}`],
  ])('%s is read in time, or given up', (_name, command) => {
    const read = readCommands(command, place)
    if (read.judged) expect(read.commands.some((each) => each.name === 'rm')).toBe(true)
    else expect(read.why).toMatch(/\S/)
  })
})

function doubling(times: number): string {
  return Array.from({ length: times }, (_, at) => `f${at + 1}(){ f${at}; f${at}; };`).join(' ')
}

describe('input that is no command', () => {
  it.each<[string, string, RegExp]>([
    ['a megabyte', many(WHOLE_MAX, 'a'), /1048576 characters/],
    ['five megabytes', many(5 * WHOLE_MAX, 'a'), /characters/],
    ['a megabyte of words', many(WHOLE_MAX / 2, 'a '), /characters/],
    ['a megabyte of openings', many(WHOLE_MAX / 8, "a <<'E'\n"), /characters/],
    ['5,000 substitutions, never closed', `rm -rf / ; ${many(5_000, '$(')}`, /./],
    ['5,000 substitutions', `${many(5_000, '$(')}ls${many(5_000, ')')}`, /./],
    ['5,000 groups', `${many(5_000, '(')}ls${many(5_000, ')')}`, /./],
    ['NUL', 'ls\0rm -rf /', /NUL/],
    ['half of a surrogate pair', 'echo \uD83D', /surrogate/],
    ['the other half', 'echo \uDE00 x', /surrogate/],
    ['carriage returns', 'ls\r\nrm -rf /\r\n', /carriage return/],
    ['more words than counted', `echo ${many(4_200, 'a ')}`, /4096 words/],
    ['a body that only looks quoted', `echo "<<'E'\n${many(SIZE_MAX, 'a')}\nE\n"`, /characters/],
  ])('%s cannot be judged', (_name, text, why) => {
    const read = readCommands(text, place)
    expect(read.judged).toBe(false)
    if (!read.judged) expect(read.why).toMatch(why)
  })

  it('reads half a here-document as the shell does', () => {
    const read = readCommands("cat > x <<'E'\nrm -rf /", place)
    expect(read.judged && read.commands.map((each) => each.name)).toEqual(['cat'])
    const run = readCommands('bash <<E\nrm -rf /', place)
    expect(run.judged && run.commands.map((each) => each.name)).toEqual(['bash', 'rm'])
  })

  it('takes a large file in a quoted here-document, and judges what stands around it', () => {
    const body = many(20_000, 'some text of the file\n')
    const read = readCommands(`cat > x <<'E'\n${body}E\nrm -rf /`, place)
    expect(read.judged && read.commands.map((each) => each.name)).toEqual(['cat', 'rm'])
    const run = readCommands(`cat > x.sh <<'E'\n${body}E\nsh x.sh`, place)
    expect(run.judged && run.commands.at(-1)?.opaque).toBeTruthy()
    expect(readCommands(`cat > x <<E\n${body}E\n`, place).judged).toBe(false)
    expect(readCommands(`bash <<'E'\n${body}E\n`, place)).toMatchObject({
      judged: true,
      commands: [{ opaque: expect.any(String) }],
    })
  })
})
