import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { HANDLER_KINDS, handlerKind } from './kind-of.ts'

it('has a row for every handler, and one for the module of a pack', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(Object.keys(HANDLER_KINDS).sort()).toEqual([...folders, 'pack'].sort())
})

it.each([
  [{ type: 'rule' }, false, undefined, ['rule']],
  [{ type: 'guard' }, false, undefined, ['guard']],
  [{ type: 'guard', from: { module: './p.ts', root: '/' } }, true, undefined, ['guard']],
  [{ type: 'contract' }, false, undefined, ['contract']],
  [{ type: 'contract', command: 'a\nb' }, true, { kind: 'line', command: 'a\nb' }, ['a', 'b']],
  [{ type: 'command', command: 'x', args: [1] }, true, { kind: 'line', command: 'x', args: ['1'] }, ['x 1']],
  [{ type: 'command', python: 'a.b' }, true, { kind: 'python', name: 'a.b' }, ['a.b']],
  [
    { type: 'module', module: './a.ts', export: 'b' },
    true,
    { kind: 'module', module: './a.ts' },
    ['./a.ts (b)'],
  ],
  [{ type: 'pack', module: '@a/b' }, true, { kind: 'package', module: '@a/b' }, ['@a/b']],
  [{ type: 'http', url: 'https://a.example' }, true, undefined, ['https://a.example']],
  [{ type: 'constructor', command: 'x' }, true, { kind: 'line', command: 'x' }, ['x']],
])('%j', (run, isCode, starts, words) => {
  const kind = handlerKind(run)
  expect([kind.namesCode(run), kind.starts?.(run), kind.describe(run)]).toEqual([isCode, starts, words])
})
