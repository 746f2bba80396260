import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOLE } from '../../words/gate.ts'
import { readSql } from './sql-tokens.ts'

/** Statements as text: words in capitals, `'…'` for what is quoted, `?` for what is not known. */
function spelled(source: string): readonly string[] {
  return readSql(source).map((tokens) =>
    tokens
      .map(({ kind, text }) => {
        if (kind === 'hole') return '?'
        return kind === 'text' || kind === 'name' ? `'${text}'` : kind === 'client' ? `<${text}>` : text
      })
      .join(' '),
  )
}

describe('SQL is read as tokens', () => {
  it.each([
    ['select 1', ["SELECT '1'"]],
    ['select 1; drop table x;', ["SELECT '1'", 'DROP TABLE X']],
    ['select 1 -- ; drop table x', ["SELECT '1'"]],
    ['select 1 /* ; drop table x */', ["SELECT '1'"]],
    ['# a line\nselect 1', ["SELECT '1'"]],
    ['select a #> b', ['SELECT A # > B']],
    ["select 'it''s; drop table x'", ["SELECT 'it''s; drop table x'"]],
    ['drop table "Users"', ["DROP TABLE 'Users'"]],
    ['drop table `Users`', ["DROP TABLE 'Users'"]],
    ['do $$ begin; end $$', ["DO ' begin; end '"]],
    ['do $x$ $$ $x$; drop table y', ["DO ' $$ '", 'DROP TABLE Y']],
    ['select 1 /*!50000 ; drop table x */', ["SELECT '1'", 'DROP TABLE X']],
    ['drop/**/table x', ['DROP TABLE X']],
    ['select 1\nGO\ndrop table x', ["SELECT '1'", 'DROP TABLE X']],
    ['\\dt\nselect 1', ['<\\dt>', "SELECT '1'"]],
    ['select 1 \\g', ["SELECT '1'", '<\\g>']],
    ['.tables', ['<.tables>']],
    [`delete from ${HOLE} where`, ['DELETE FROM ? WHERE']],
    ["select 'unclosed", ["SELECT 'unclosed'"]],
    ['', []],
    [';;', []],
  ])('%j', (source, expected) => {
    expect(spelled(source)).toEqual(expected)
  })

  it('and any text is read to its end', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(readSql(text))))
    expect(readSql('/* '.repeat(20_000))).toEqual([])
    expect(readSql('('.repeat(20_000))).toHaveLength(1)
  })
})
