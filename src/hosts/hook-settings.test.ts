import { describe, expect, it, test } from 'vitest'
import { installHooks, ownEntriesOf, uninstallHooks } from './hook-settings.ts'

/** The laws are in installer.contract.ts; here is what single texts look like, to the byte. */

const OURS = '{"type":"command","command":"/x/holdpoint-hook y"}'
const MINE = '{"type":"command","command":"mine"}'
const WANTED = new Map([['Stop', { type: 'command', command: '/n/holdpoint-hook', timeout: 1 }]])
const NEW = '{"type":"command","command":"/n/holdpoint-hook","timeout":1}'

const install = (text: string | undefined) => {
  const result = installHooks(text, WANTED)
  return result.ok ? result.value : result.problem
}
const uninstall = (text: string) => {
  const result = uninstallHooks(text)
  return result.ok ? result.value : result.problem
}

describe('an entry put in', () => {
  test.each([
    ['{"a":1}', `{"a":1,"hooks":{"Stop":[{"hooks":[${NEW}]}]}}`],
    ['{"hooks":{}}', `{"hooks":{"Stop":[{"hooks":[${NEW}]}]}}`],
    ['{"hooks":{"Stop":[]}}', `{"hooks":{"Stop":[{"hooks":[${NEW}]}]}}`],
    ['{"hooks":{"Stop":[1,]}}', `{"hooks":{"Stop":[1,{"hooks":[${NEW}]},]}}`],
    ['{"hooks":{"Stop":[1/*a*/]}}', `{"hooks":{"Stop":[1,/*a*/{"hooks":[${NEW}]}]}}`],
    [`{"hooks":{"Stop":[{"hooks":[${OURS},${MINE}]}]}}`, `{"hooks":{"Stop":[{"hooks":[${NEW},${MINE}]}]}}`],
    [
      `{"hooks":{"Stop":[{"matcher":"","hooks":[${OURS}]},{"x":1,"hooks":[${OURS}]}]}}`,
      `{"hooks":{"Stop":[{"x":1,"hooks":[${NEW}]}]}}`,
    ],
  ])('%s', (before, after) => {
    expect(install(before)).toBe(after)
  })

  it('is written as the file is', () => {
    expect(install('{\r\n\t"a": 1 // a\r\n}')).toBe(
      [
        '{',
        '\t"a": 1, // a',
        '\t"hooks": {',
        '\t\t"Stop": [',
        '\t\t\t{',
        '\t\t\t\t"hooks": [',
        '\t\t\t\t\t{',
        '\t\t\t\t\t\t"type": "command",',
        '\t\t\t\t\t\t"command": "/n/holdpoint-hook",',
        '\t\t\t\t\t\t"timeout": 1',
        '\t\t\t\t\t}',
        '\t\t\t\t]',
        '\t\t\t}',
        '\t\t]',
        '\t}',
        '}',
      ].join('\r\n'),
    )
    expect(install('{ /* a */ }')).toMatch(/^\{ \/\* a \*\/\n {2}"hooks": \{\n/)
    expect(install('// a')).toMatch(/^\/\/ a\n\{\n {2}"hooks"/)
  })

  it('that says the same already is not written again', () => {
    const text = `{"hooks":{"Stop":[{"hooks":[{ "type" : "command",\n"command":"/n/holdpoint-hook", /*a*/ "timeout":1 }]}]}}`
    expect(install(text)).toBe(text)
  })
})

describe('an entry taken out', () => {
  const stop = (list: string) => `{"hooks":{"Stop":${list}}}`
  test.each([
    ['alone in the file', stop(`[{"hooks":[${OURS}]}]`), undefined],
    [
      'alone in the file, with space',
      `\uFEFF{\n "hooks" : { "Stop" : [ {"hooks":[${OURS} ] } ] }\n}\n`,
      undefined,
    ],
    ['beside another key', `{"a":1,"hooks":{"Stop":[{"hooks":[${OURS}]}]}}`, '{"a":1}'],
    ['before another key', `{"hooks":{"Stop":[{"hooks":[${OURS}]}]}, "a":1}`, '{ "a":1}'],
    [
      'in a group with others',
      stop(`[{"hooks":[${MINE}, ${OURS},${MINE}]}]`),
      stop(`[{"hooks":[${MINE},${MINE}]}]`),
    ],
    ['last in a group', stop(`[{"hooks":[${MINE} , ${OURS} ]}]`), stop(`[{"hooks":[${MINE}  ]}]`)],
    ['with its matcher', stop(`[1,{"matcher":"Bash","hooks":[${OURS}]}]`), stop('[1]')],
    ['but not a group that says more', stop(`[{"x":1,"hooks":[${OURS}]}]`), stop('[{"x":1,"hooks":[]}]')],
    [
      'but not an event called matcher',
      `{"hooks":{"matcher":1,"E":[{"hooks":[${OURS}]}]}}`,
      '{"hooks":{"matcher":1}}',
    ],
    ['but not a comment beside it', stop(`[{"hooks":[${OURS} /* a */]}]`), stop('[{"hooks":[ /* a */]}]')],
    [
      'but not a comment between two',
      stop(`[{"hooks":[${OURS}, /* a */ ${OURS}, ${MINE}]}]`),
      stop(`[{"hooks":[ /* a */ ${MINE}]}]`),
    ],
    ['but not a comment in the list', stop(`[// a\n{"hooks":[${OURS}]}]`), stop('[// a\n]')],
    ['but not a comment in the group', stop(`[{/*a*/"hooks":[${OURS}]}]`), stop('[{/*a*/"hooks":[]}]')],
    ['but not a comment in the file', `{"hooks":{"E":[{"hooks":[${OURS}]}]}} // a`, '{} // a'],
    [
      'but not a key that hides another',
      `{"hooks":1,"hooks":{"E":[{"hooks":[${OURS}]}]}}`,
      '{"hooks":1,"hooks":{}}',
    ],
    [
      'and nothing else',
      stop(`[{"hooks":[${MINE}]}, {"hooks":[]}]`),
      stop(`[{"hooks":[${MINE}]}, {"hooks":[]}]`),
    ],
    ['from a file without any', '{ }', '{ }'],
  ])('%s', (_name, before, after) => {
    expect(uninstall(before)).toBe(after)
  })
})

test('where an entry stands is told as the agent counts', () => {
  const text = `{"hooks":{"Stop":[7,{"hooks":[${MINE},${OURS}],"matcher":"x"}],"E":[{"hooks":[${OURS}]}],"E":[]}}`
  const own = ownEntriesOf(text)
  expect(own.ok && own.value).toMatchObject([{ event: 'Stop', position: [1, 1], matcher: 'x' }])
  expect(ownEntriesOf('{').ok).toBe(false)
})
