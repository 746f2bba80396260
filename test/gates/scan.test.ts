// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are source text.
import { describe, expect, test } from 'vitest'
import { codeOnly, importsOf } from './scan.ts'

describe('importsOf', () => {
  const cases: readonly [string, string, { specifier?: string; typeOnly?: boolean; lazy?: boolean }][] = [
    ['named', `import { a, b as c } from './a.ts'`, { specifier: './a.ts' }],
    ['default and names', `import a, { b } from './a.ts'`, { specifier: './a.ts' }],
    ['namespace', `import * as a from './a.ts'`, { specifier: './a.ts' }],
    ['over lines', `import {\n  a,\n  // from './no.ts'\n  b,\n} from './a.ts'`, { specifier: './a.ts' }],
    ['side effect', `import './a.ts'`, { specifier: './a.ts' }],
    ['double quotes', `import a from "./a.ts"`, { specifier: './a.ts' }],
    ['type', `import type { A } from './a.ts'`, { specifier: './a.ts', typeOnly: true }],
    ['a default import called type', `import type from './a.ts'`, { specifier: './a.ts' }],
    ['inline type, which is still loaded', `import { type A } from './a.ts'`, { specifier: './a.ts' }],
    ['export', `export { a } from './a.ts'`, { specifier: './a.ts' }],
    ['export all', `export * from './a.ts'`, { specifier: './a.ts' }],
    ['export type', `export type { A } from './a.ts'`, { specifier: './a.ts', typeOnly: true }],
    ['lazy', `const a = () => import('./a.ts')`, { specifier: './a.ts', lazy: true }],
    ['lazy in a template', 'const a = `${await import("./a.ts")}`', { specifier: './a.ts', lazy: true }],
    ['lazy, computed', 'const a = import(`./${name}.ts`)', { lazy: true }],
    ['lazy, a variable', 'const a = import(name)', { lazy: true }],
    ['require', `const a = require('./a.ts')`, { specifier: './a.ts', lazy: true }],
    ['after a regex with a quote', `const q = /'/\nimport './a.ts'`, { specifier: './a.ts' }],
    ['after a division', `const q = a / b // '\nimport './a.ts'`, { specifier: './a.ts' }],
  ]
  test.each(cases)('finds an import: %s', (_name, text, { specifier, typeOnly = false, lazy = false }) => {
    expect(importsOf(text)).toEqual([{ specifier, typeOnly, lazy, line: expect.any(Number) }])
  })

  test.each([
    ['a line comment', `// import './a.ts'`],
    ['a block comment', `/* import a\n from './a.ts' */`],
    ['a string', `const a = "import './a.ts'"`],
    ['a template', "const a = `import './a.ts'`"],
    ['a method', `Array.from('abc'); loader.import('./a.ts')`],
    ['import.meta', `const here = import.meta.url + './a.ts'`],
  ])('finds nothing in %s', (_name, text) => {
    expect(importsOf(text)).toEqual([])
  })

  test('returns the line of the specifier', () => {
    expect(importsOf(`\n\nimport {\n  a,\n} from './a.ts'\n`)).toMatchObject([{ line: 5 }])
  })
})

describe('codeOnly', () => {
  test.each([
    ['a // b', 'a     '],
    ['a /* b\nc */ d', 'a     \n     d'],
    [`f('x\\'y', "z")`, `f('    ', " ")`],
    ['`a${ b }c` + d', '` ${ b } ` + d'],
    ['`${ { a: `x` } }y` + z', '`${ { a: ` ` } } ` + z'],
    ['x = /[/"]/.test(y)', 'x = /    /.test(y)'],
    ['(a) / b / c', '(a) / b / c'],
    [`'unclosed\nnext`, `'        \nnext`],
  ])('blanks comments and strings of %j', (text, expected) => {
    expect(codeOnly(text)).toBe(expected)
  })

  test('keeps length and lines of any text', () => {
    for (const text of ['`', '`${', '`${`', '/*', '"', '/', '}', '`a${b', '\u0000\\', "'\\"]) {
      const code = codeOnly(text)
      expect(code).toHaveLength(text.length)
      expect(code.split('\n')).toHaveLength(text.split('\n').length)
    }
  })
})
