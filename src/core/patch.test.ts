import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPatch, PATCH_FILES_MAX, patchFiles } from './patch.ts'

const spelled = (text: string) => patchFiles(text).map(({ change, path }) => `${change} ${path}`)

describe('patchFiles', () => {
  it.each<[string, string, readonly string[]]>([
    ['an added file', '*** Begin Patch\n*** Add File: b.txt\n+hello\n*** End Patch\n', ['add b.txt']],
    [
      'several changes in order',
      '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Delete File: b\n*** Add File: c\n+z\n*** End Patch',
      ['update a', 'delete b', 'add c'],
    ],
    [
      'a move: the old path goes, the new one comes',
      '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch',
      ['delete a', 'add b'],
    ],
    ['a move of nothing', '*** Begin Patch\n*** Move to: b', ['add b']],
    ['a move after an addition', '*** Add File: a\n*** Move to: b', ['add a', 'add b']],
    [
      'carriage returns',
      '*** Begin Patch\r\n*** Add File: a b.txt\r\n+x\r\n*** End Patch\r\n',
      ['add a b.txt'],
    ],
    ['leading and trailing spaces', '  *** Begin Patch\n\t *** Delete File:   a  \n', ['delete a']],
    ['no end', '*** Begin Patch\n*** Add File: a\n+x', ['add a']],
    ['no beginning', '*** Update File: a', ['update a']],
    ['a file after the end', '*** Begin Patch\n*** End Patch\n*** Add File: a', ['add a']],
    ['a here-document around it', "<<'EOF'\n*** Begin Patch\n*** Add File: a\n*** End Patch\nEOF", ['add a']],
    ['an environment', '*** Begin Patch\n*** Environment ID: e\n*** Add File: a', ['add a']],
    ['content that looks like a header', '*** Add File: a\n+*** Add File: b\n-*** Delete File: c', ['add a']],
    ['a line separator in a path', '*** Add File: a\u2028/.env\u0085x', ['add a\u2028/.env\u0085x']],
    [
      'characters that only some programs treat as space',
      '\u0085*** Add File: .env\u0085 \u0085\r',
      ['add .env'],
    ],
    ['a NUL in a path', '*** Add File: a\0b', ['add a\0b']],
    ['a header without a path', '*** Add File:\n*** Add File:   \n', []],
    ['another case', '*** add file: a', []],
    ['no patch', 'hello', []],
    ['nothing', '', []],
  ])('%s', (_name, text, expected) => {
    expect(spelled(text)).toEqual(expected)
  })

  it('stops at its limit, so that a list of that length is known to be incomplete', () => {
    const lines = Array.from({ length: PATCH_FILES_MAX + 5 }, (_, index) => `*** Add File: ${index}`)
    expect(patchFiles(lines.join('\n'))).toHaveLength(PATCH_FILES_MAX)
    expect(patchFiles(lines.slice(0, 9_999).join('\n'))).toHaveLength(9_999)
  })

  it('never throws, and returns no path with a newline or with spaces around it', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '*** Add File: ',
        '*** Update File: a',
        '*** Move to: b',
        '*** Begin Patch',
        '\r',
        '\u0085',
      ),
    )
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', ''), (lines, end) => {
        for (const { path } of patchFiles(lines.join(end))) {
          expect(path).toBe(path.trim())
          expect(path).not.toContain('\n')
          expect(path).not.toBe('')
        }
      }),
    )
  })
})

describe('isPatch', () => {
  it.each([
    ['*** Begin Patch', true],
    ['<<E\r\n  *** Begin Patch \r\n*** End Patch', true],
    ['see *** Begin Patch', false],
    ['*** Begin Patching', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isPatch(text)).toBe(expected)
  })
})
