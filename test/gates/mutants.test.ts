import { describe, expect, it } from 'vitest'
import { mutantsOf, mutated } from '../../scripts/mutants/operators.mjs'

const changes = (source: string) =>
  mutantsOf(source).map((mutant) => `${mutant.operator}: ${mutated(source, mutant)}`)

describe('`npm run mutants` changes', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a condition',
      'const x = isOpen ? a : b',
      [
        'condition negated: const x = !(isOpen) ? a : b',
        'condition forced true: const x = true ? a : b',
        'condition forced false: const x = false ? a : b',
      ],
    ],
    [
      'an early return, with or without what is before it',
      'function f() { if (late) { log(); return } go() }',
      [
        'condition negated: function f() { if (!(late)) { log(); return } go() }',
        'condition forced true: function f() { if (true) { log(); return } go() }',
        'condition forced false: function f() { if (false) { log(); return } go() }',
        'statement removed: function f() { if (late) { {} return } go() }',
        'early return removed: function f() { if (late) { log(); {} } go() }',
        'statement removed: function f() { if (late) { log(); return } {} }',
      ],
    ],
    [
      'and, or',
      'const x = a && (b || c)',
      [
        'and/or swapped: const x = ((a) || (b || c))',
        'condition dropped: const x = (a)',
        'condition dropped: const x = (b || c)',
        'and/or swapped: const x = a && (((b) && (c)))',
        'condition dropped: const x = a && ((b))',
        'condition dropped: const x = a && ((c))',
      ],
    ],
    [
      'operators, and no text that is put together',
      "const x = a + 1 < b ? n === m : 'a' + b",
      [
        "condition negated: const x = !(a + 1 < b) ? n === m : 'a' + b",
        "condition forced true: const x = true ? n === m : 'a' + b",
        "condition forced false: const x = false ? n === m : 'a' + b",
        "arithmetic changed: const x = a - 1 < b ? n === m : 'a' + b",
        "literal changed: const x = a + 2 < b ? n === m : 'a' + b",
        "boundary moved: const x = a + 1 <= b ? n === m : 'a' + b",
        "equality changed: const x = a + 1 < b ? n !== m : 'a' + b",
      ],
    ],
    [
      'defaults and optional chains',
      'const x = a?.b ?? c?.()',
      [
        'default dropped: const x = (a?.b)',
        'optional chaining dropped: const x = a.b ?? c?.()',
        'optional chaining dropped: const x = a?.b ?? c()',
      ],
    ],
    [
      'lists, and what is done with them',
      'const x = [...a, b].filter(isOpen).some(isNew)',
      [
        'element dropped: const x = [b].filter(isOpen).some(isNew)',
        'element dropped: const x = [...a].filter(isOpen).some(isNew)',
        'call dropped: const x = [...a, b].some(isNew)',
        'method changed: const x = [...a, b].filter(isOpen).every(isNew)',
      ],
    ],
    [
      'literals',
      'const x: 1 | 2 = 1; const y = true',
      [
        'literal changed: const x: 1 | 2 = 2; const y = true',
        'literal changed: const x: 1 | 2 = 1; const y = false',
      ],
    ],
    [
      'loops, but never into endless ones',
      'for (let i = 0; i < n; i++) go(i as number)',
      [
        'literal changed: for (let i = 1; i < n; i++) go(i as number)',
        'condition forced false: for (let i = 0; false; i++) go(i as number)',
        'boundary moved: for (let i = 0; i <= n; i++) go(i as number)',
        'statement removed: for (let i = 0; i < n; i++) {}',
      ],
    ],
    [
      'nothing that only the type checker reads',
      'type T = A extends 1 ? true : false\ninterface I { a: 1 }',
      [],
    ],
  ])('%s', (_what, source, wanted) => {
    expect([...changes(source)].sort()).toEqual([...wanted].sort())
  })

  it('whole conditions that begin a statement into statements', () => {
    expect(changes('a\nb || c')).toContain('condition dropped: a\nvoid 0, c')
  })

  it('and names the line', () => {
    expect(mutantsOf('const a = b\n\nconst c = !d')).toMatchObject([{ line: 3 }])
  })
})
