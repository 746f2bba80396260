import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { wordList } from '../core/word-list.ts'
import { rememberPath, searchPath, withoutLoaders } from './environment.ts'
import { homeLayout } from './home.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-environment-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the search path for programs', () => {
  it.each([
    ['/opt/tools/bin', '/usr/bin:/opt/tools/bin'],
    ['', '/usr/bin'],
    [undefined, '/usr/bin'],
    [':.:bin:/opt/bin:', '/usr/bin:/opt/bin'],
  ])('has the known folders first, then %s', (callers, expected) => {
    const home = homeLayout(folder, {})
    expect(searchPath(home, callers)).toBe(callers)
    rememberPath(home, '/usr/bin')
    expect(searchPath(home, callers)).toBe(expected)
  })
})

describe('the environment of started programs', () => {
  it.each(
    wordList(`
      LD_PRELOAD DYLD_INSERT_LIBRARIES NODE_OPTIONS OPENSSL_CONF PYTHONPATH PERL5OPT RUBYOPT BASH_ENV ENV
      BASH_FUNC_ls%% SHELLOPTS IFS CDPATH GCONV_PATH
    `),
  )('does not contain %s', (name) => {
    expect(withoutLoaders({ [name]: 'x', HOME: '/home/dev' })).toEqual({ HOME: '/home/dev' })
  })

  it.each(['PATH', 'HOME', 'LDAP_HOST', 'ENVOY', 'NODEJS_HOME', 'VIRTUAL_ENV', 'MY_NODE_OPTIONS'])(
    'keeps %s',
    (name) => {
      expect(withoutLoaders({ [name]: 'x' })).toEqual({ [name]: 'x' })
    },
  )
})
