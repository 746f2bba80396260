import { describe, expect, it } from 'vitest'
import { gate, HOLE, SIZE_MAX } from './gate.ts'

describe('gate', () => {
  it.each([
    ['NUL', 'ls \0', 'NUL (U+0000) at character 4'],
    ['escape', 'echo \x1b[2J', 'escape character (U+001B)'],
    ['backspace', 'ls\b\b', 'control character (U+0008)'],
    ['carriage return', 'ls\r\nrm x', 'carriage return (U+000D) at character 3'],
    ['DEL', 'ls\x7f', 'U+007F'],
    ['C1', 'ls\x85', 'U+0085'],
    ['soft hyphen', 'r\u00ADm', 'U+00AD'],
    ['zero-width space', 'r\u200Bm', 'zero-width character (U+200B)'],
    ['joiner outside an emoji', 'r\u200Dm', 'zero-width character (U+200D)'],
    ['byte order mark', '\uFEFFls', 'U+FEFF'],
    ['right-to-left override', 'echo \u202Ex', 'text direction override (U+202E)'],
    ['isolate', 'echo \u2066x', 'text direction isolate (U+2066)'],
    ['line separator', 'ls\u2028rm', 'U+2028'],
    ['hangul filler', 'ls \u3164', 'U+3164'],
    ['tag character', 'ls \u{E0041}', 'U+E0041'],
    ['lone surrogate', 'ls \uD800', 'surrogate'],
    ['the hole of our own', `rm ${HOLE}`, 'noncharacter (U+FFFF)'],
  ])('refuses %s', (_name, text, reason) => {
    expect(gate(text)).toContain(reason)
  })

  it.each([
    ['tabs and newlines', 'if true\n\tthen ls\nfi'],
    ['letters of any language', 'git commit -m "naïve 変更 изменение"'],
    ['emoji', 'git commit -m "👩‍💻 ✔️ 👍🏽 🏳️‍🌈"'],
    ['a no-break space in prose', 'echo "a\u00A0b"'],
    ['the longest text', 'a'.repeat(SIZE_MAX)],
  ])('lets through %s', (_name, text) => {
    expect(gate(text)).toBeUndefined()
  })

  it('refuses what is too long, saying how long', () => {
    expect(gate('a'.repeat(SIZE_MAX + 1))).toContain(String(SIZE_MAX + 1))
  })

  it.each([
    ["<<'E'", 'E'],
    ['<<"END OF FILE"', 'END OF FILE'],
    ['<< \\E', 'E'],
    ["<<-'E'", 'E'],
  ])('counts no body of a here-document opened by %s', (opening, end) => {
    const line = 'a line of the file\n'
    expect(gate(`cat > x ${opening}\n${line.repeat(10_000)}${end}\n`)).toBeUndefined()
    expect(gate(`cat > x ${opening}\n${line.repeat(100_000)}${end}\n`)).toContain('characters long')
    expect(gate(`cat > x <<E\n${line.repeat(10_000)}E\n`)).toContain('characters long')
  })
})
