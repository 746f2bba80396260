import { describe, expect, it } from 'vitest'
import { NPM_SCRIPTS } from '../long/npm-scripts.ts'
import { exists, readText, repositoryFiles } from './tree.ts'

/** Scripts are code: somebody starts each of them, and the type checker reads them as strictly as the rest. */

const scripts: Readonly<Record<string, string>> = JSON.parse(readText('package.json')).scripts
const files = repositoryFiles().filter((path) => /^(?:scripts|test)\//.test(path))

describe('npm scripts', () => {
  it('are in the table of test/long/npm-scripts.ts, which says who starts them', () => {
    expect(Object.keys(NPM_SCRIPTS).sort()).toEqual(Object.keys(scripts).sort())
    for (const [name, by] of Object.entries(NPM_SCRIPTS)) {
      if ('here' in by) expect(by.here, name).not.toEqual([])
      else expect([by.elsewhere, exists(by.elsewhere)]).toEqual([by.elsewhere, true])
    }
  })

  it('start files that exist', () => {
    const named = Object.values(scripts).flatMap((line) => line.match(/\b(?:scripts|test)\/[\w./-]+/g) ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((path) => !exists(path))).toEqual([])
  })
})

describe('the files in scripts/', () => {
  it('have their types in JSDoc, and the type checker reads them', () => {
    const { compilerOptions, include } = JSON.parse(readText('tsconfig.json'))
    expect(compilerOptions).toMatchObject({ strict: true, allowJs: true, checkJs: true })
    expect(compilerOptions).not.toHaveProperty('noImplicitAny')
    expect(include).toEqual(expect.arrayContaining(['scripts', 'test']))
    expect(files.filter((path) => path.endsWith('.d.mts'))).toEqual([])
    const programs = files.filter((path) => path.endsWith('.mjs'))
    expect(programs.length).toBeGreaterThan(60)
    const unchecked = /@ts-(?:nocheck|ignore|expect-error)/
    expect(programs.filter((path) => unchecked.test(readText(path)))).toEqual([])
  })
})
