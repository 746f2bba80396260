import { describe, expect, it } from 'vitest'
import { readCommands } from '../walk/read-commands.ts'

function why(text: string): string | undefined {
  const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
  return analysis.judged ? undefined : analysis.why
}

describe('characters that look like others', () => {
  it.each([
    ['r\u043C -rf /', 'U+043C', 'program'],
    ['\u0440\u0441 x', 'U+0440', 'program'],
    ['\uFF52\uFF4D -rf /', 'U+FF52', 'program'],
    ['rm\u00A0-rf /', 'U+00A0', 'program'],
    ['/bin/\u{1D42B}m x', 'U+1D42B', 'program'],
    ["$'\\u0440m' -rf /", 'U+0440', 'program'],
    ["bash -c 'g\u0456t push'", 'U+0456', 'program'],
    ['sudo r\u043C x', 'U+043C', 'program'],
    ['rm \u2013rf /', 'U+2013', 'option'],
    ['git push \u2014force', 'U+2014', 'option'],
    ['git push --f\u043Erce', 'U+043E', 'option'],
    ['curl https://ex\u0430mple.com/x', 'U+0430', 'host'],
    ['curl https://\u0430\u0440\u0440\u04CF\u0435.com', 'U+0430', 'host'],
    ['ssh me@\u0435xample.com', 'U+0435', 'host'],
    ['curl https://example\u3002com', 'U+3002', 'host'],
  ])('%s', (text, code, where) => {
    expect(why(text)).toContain(code)
    expect(why(text)).toContain(where)
  })

  it.each([
    'git commit -m "naïve \u2014 \u0438\u0437\u043C\u0435\u043D\u0435\u043D\u0438\u0435"',
    './\u0441\u0431\u043E\u0440\u043A\u0430.sh --all',
    'cat 文件.txt',
    'curl https://\u043F\u0440\u0438\u043C\u0435\u0440.\u0440\u0444/x',
    'curl https://münchen.example/x',
    'echo \u2013 done',
    'echo "\u2014force is bad"',
    'grep -rn "\u2013option" src',
    'git commit --message="\u0434\u0430"',
    'printf "%s\\n" \u03B1\u03B2\u03B3',
  ])('%s is fine', (text) => {
    expect(why(text)).toBeUndefined()
  })
})
