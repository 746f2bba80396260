import { describe, expect, it } from 'vitest'
import { spellCommand } from '../vocabulary/command.ts'
import { readCommands } from '../walk/read-commands.ts'
import { usualName } from './usual-name.ts'

function commandsOf(line: string): readonly string[] {
  const analysis = readCommands(line, { cwd: '/srv/project', home: '/home/dev' })
  return analysis.judged ? analysis.commands.map((each) => `${each.name}: ${spellCommand(each)}`) : []
}

describe('the usual name of a program', () => {
  it.each([
    ['grm', 'rm'],
    ['gtimeout', 'timeout'],
    ['gfind', 'find'],
    ['gtar', 'tar'],
    ['gcat', 'cat'],
    ['RM', 'rm'],
    ['GRM', 'rm'],
    // Known as they stand, or unknown altogether.
    ['gzip', 'gzip'],
    ['gpg', 'gpg'],
    ['git', 'git'],
    ['gawk', 'gawk'],
    ['gh', 'gh'],
    ['gssh', 'gssh'],
    ['Get-Item', 'Get-Item'],
    ['Rscript', 'Rscript'],
    ['R', 'R'],
  ])('of %s is %s', (name, usual) => {
    expect(usualName(name)).toBe(usual)
  })

  it('is that of the program behind a wrapper, and of the wrapper', () => {
    expect(commandsOf('genv A=1 gtimeout 5 grm -rf build')).toContain('rm: grm -rf build')
    expect(commandsOf('echo build | gxargs -n1 gnice grm')).toContain('rm: grm build')
    expect(commandsOf('gfind build -exec gchmod 777 {} +').at(-1)).toMatch(/^chmod: gchmod/)
  })

  it('is not that of a function or an alias of the same line', () => {
    expect(commandsOf('grm() { echo "$1"; }; grm build')).toContain('grm: grm build')
    expect(commandsOf('shopt -s expand_aliases; alias grm="git rm"; grm build')).toContain(
      'git: git rm build',
    )
  })
})
