import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gitEntries, gitRepositoryAt, parseGitConfig } from './config-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-git-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

describe('a settings file is read as git reads it', () => {
  it.each([
    ['[core]\n\tworktree = /srv/x\n'],
    ['[core] worktree=/srv/x ; a comment'],
    ['[Core]\n\tWorkTree = " /srv/x "  # a comment\n'],
    ['[alias]\n\ttidy = stash -u\n\tUp = push --force\n'],
    ['[alias]\n\ttidy = "!f() { git stash -u; }; f"\n'],
    ['[alias "tidy"]\n\tcommand = stash -u\n'],
    ['[remote "origin"]\n\tpush = +HEAD:main\n\tmirror\n'],
    ['[remote "Or\\"i\\\\gin"]\n\turl = a\\tb\\n"c;d"\n'],
    ['[remote.ORIGIN]\n\turl = x\n'],
    ['[a]\n\tb = one \\\n  two\n\tc = "x"  "y" z\n'],
    ['; nothing\n[a]\n\n\tb =\n'],
    ['\uFEFF[a]\r\n\tb = c\r\n'],
  ])('%j', (text) => {
    const file = write('config', text)
    const listed = execFileSync('git', ['config', '--file', file, '--list', '-z'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
    })
    const expected = listed
      .split('\0')
      .slice(0, -1)
      .map((each) => {
        const [key = '', ...value] = each.split('\n')
        return { key, value: each.includes('\n') ? value.join('\n') : 'true' }
      })
    expect(expected.length).toBeGreaterThan(0)
    expect(parseGitConfig(text)).toEqual(expected)
  })

  it.each(['', '\0\0\0', '[', '[a', 'b = c', '[a]\n= x', '[a]\n\\', `[a]\nb = ${'"'.repeat(9)}`])(
    'and %j does not break it',
    (text) => expect(() => parseGitConfig(text)).not.toThrow(),
  )

  it('a line that git refuses does not hide the others', () => {
    expect(parseGitConfig('[a]\n\tb = c\n??\n\td = e\n')).toEqual([
      { key: 'a.b', value: 'c' },
      { key: 'a.d', value: 'e' },
    ])
  })

  it('in a time that grows with its length', () => {
    const text = `[a]\n${'\tb = "c" \\\n'.repeat(100_000)}`
    expect(parseGitConfig(text).length).toBeGreaterThan(0)
  })
})

describe('the repository of a folder', () => {
  it('is the one above, behind a file too, or the folder itself', () => {
    write('repo/.git/HEAD', 'ref: refs/heads/main\n')
    write('repo/.git/worktrees/w/HEAD', 'ref: refs/heads/w\n')
    write('w/.git', 'gitdir: ../repo/.git/worktrees/w\n')
    write('bare/HEAD', 'ref: refs/heads/main\n')
    expect(gitRepositoryAt(join(folder, 'repo/a/b'), read)).toEqual({
      root: join(folder, 'repo'),
      folder: join(folder, 'repo/.git'),
    })
    expect(gitRepositoryAt(join(folder, 'w/a'), read)).toEqual({
      root: join(folder, 'w'),
      folder: join(folder, 'repo/.git/worktrees/w'),
    })
    expect(gitRepositoryAt(join(folder, 'bare'), read)).toEqual({
      root: undefined,
      folder: join(folder, 'bare'),
    })
    expect(gitRepositoryAt('/srv/none', () => undefined)).toBeUndefined()
  })

  it('has the settings of the user, of the shared folder and of every file that is included', () => {
    write('home/.gitconfig', '[alias]\n\ta = status\n[include]\n\tpath = ~/more\n')
    write('home/more', '[alias]\n\tb = stash\n[includeIf "gitdir:x"]\n\tpath = more\n')
    write('repo/.git/config', '[include]\n\tpath = extra\n')
    write('repo/.git/extra', '[core]\n\tworktree = /srv/x\n')
    write('repo/.git/worktrees/w/commondir', '../..\n')
    write('repo/.git/worktrees/w/config.worktree', '[alias]\n\tc = push\n')
    const repository = { root: join(folder, 'w'), folder: join(folder, 'repo/.git/worktrees/w') }
    const inside = (path: string) => (path.startsWith(folder) ? read(path) : undefined)
    const entries = gitEntries(repository, join(folder, 'home'), inside)
    expect(entries.filter(({ key }) => !key.startsWith('include')).map(({ key }) => key)).toEqual([
      'alias.a',
      'alias.b',
      'core.worktree',
      'alias.c',
    ])
  })
})
