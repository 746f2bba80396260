import { describe, expect, it } from 'vitest'
import { agentAbove, ancestorOf } from '../ancestry.ts'
import { readProgramFiles, readTable, readTexts, splitWords, variablesOf } from './ps.ts'

/** What Apple's `ps -axww -o pid= -o ppid= -o uid= -o stat= -o comm=` prints: numbers to the right, names as they are. */
const TABLE = `    1     0     0 Ss   /sbin/launchd
  311     1     0 Ss   /usr/libexec/logd
  812     1   501 S    /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
 1020   812     0 Ss   login
 1021  1020   501 S    -zsh
 2101  1021   501 S+   /Users/dev/.local/share/claude/versions/2.1.20
 2102  1021   501 S    /opt/homebrew/lib/node_modules/@openai/codex/vendor/bin/codex-aarch64-apple-darwin
 2103  1021   501 S    /Users/dev/Library/Application Support/x/bin/claude
 2104  1021   501 S    node
 2105  2104   501 Ss+  /bin/zsh
99999  1021   501 Z    (node)
  600     1    -2 S    /usr/sbin/distnoted
`

/** And \`ps -o pid= -o command= -ww -p …\`. */
const TEXTS = `  812 /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
 1021 -zsh
 2103 /Users/dev/Library/Application Support/x/bin/claude --resume last
 2104 node --no-warnings /Users/dev/Library/Application Support/y/bin/gemini --yolo
`

describe("the text of Apple's ps", () => {
  it('is a table of processes, with spaces in names', () => {
    const table = readTable(TABLE)
    expect(table.size).toBe(12)
    expect(table.get(1)).toEqual({ pid: 1, parent: 0, user: 0, state: 'Ss', command: '/sbin/launchd' })
    expect(table.get(2103)).toMatchObject({
      parent: 1021,
      command: '/Users/dev/Library/Application Support/x/bin/claude',
    })
    expect(table.get(99_999)).toMatchObject({ state: 'Z', command: '(node)' })
    expect(table.get(600)).toMatchObject({ user: -2 })
  })

  it('is the words of processes', () => {
    expect(readTexts(TEXTS).get(1021)).toBe('-zsh')
    const line = readTexts(TEXTS).get(2103) ?? ''
    expect(splitWords('/Users/dev/Library/Application Support/x/bin/claude', line)).toEqual([
      '/Users/dev/Library/Application Support/x/bin/claude',
      '--resume',
      'last',
    ])
    expect(splitWords('-zsh', '-zsh')).toEqual(['-zsh'])
  })

  it('does not count if it names a process twice', () => {
    expect(() => readTable(`${TABLE} 2101  1021   501 S    -zsh\n`)).toThrow('twice')
    expect(() => readTexts(`${TEXTS} 1021 claude\n`)).toThrow('twice')
  })

  it('is empty for a process that has ended', () => {
    expect(readTable('').size).toBe(0)
    expect(readTexts('\n').size).toBe(0)
  })

  it('of lsof is the program of each process, whatever its words say', () => {
    const iTerm = '/Applications/iTerm.app/Contents/MacOS/iTerm2'
    const text = `p812\nftxt\nn${iTerm}\nftxt\nn/usr/lib/dyld\np1021\nftxt\nn/bin/zsh\nftxt\nn/usr/lib/dyld\np7\n`
    expect([...readProgramFiles(text)]).toEqual([
      [812, iTerm],
      [1021, '/bin/zsh'],
    ])
    expect(readProgramFiles('').size).toBe(0)
  })

  it('has variables behind the words', () => {
    expect(variablesOf(' TERM=xterm LESS=-R -M CLAUDECODE=1 CLAUDECODE')).toEqual([
      'TERM=xterm',
      'LESS=-R',
      'CLAUDECODE=1',
    ])
  })
})

describe('an agent above, on a Mac', () => {
  const seen = (pid: number, environment: readonly string[] = []) => {
    const row = readTable(TABLE).get(pid)
    if (row === undefined) throw new Error(`no process ${pid}`)
    const line = readTexts(TEXTS).get(pid) ?? row.command
    const file = row.command.startsWith('/') ? row.command : undefined
    return ancestorOf(
      { ...row, name: row.command, file, words: splitWords(row.command, line), environment },
      'darwin',
    )
  }
  it.each([
    [2101, 'claude'],
    [2102, 'codex'],
    [2103, 'claude'],
    [2104, 'gemini'],
  ])('process %i is %s', (pid, agent) => {
    expect(agentAbove([seen(2105), seen(pid), seen(1021)])).toBe(agent)
  })

  it.each([[812], [1020], [1021], [2105], [311]])('process %i is none', (pid) => {
    expect(agentAbove([seen(pid)])).toBeUndefined()
  })

  it('is found by its variables', () => {
    expect(agentAbove([seen(2105, ['CLAUDECODE=1'])])).toBe('an agent (CLAUDECODE is set)')
  })

  it('is found by the file of its program too, whatever its first word is', () => {
    const hidden = { ...seen(1021), parent: 1, name: '-zsh', words: ['-zsh'] }
    const file = '/Users/dev/.local/share/claude/versions/2.1.20'
    expect(agentAbove([ancestorOf({ ...hidden, file }, 'darwin')])).toBe('claude')
  })

  it('only a program in /Applications, or one that root owns, is a terminal that people open', () => {
    const at = (file: string) =>
      ancestorOf({ ...seen(1021), parent: 1, name: file, file }, 'darwin').rootsProgram
    expect(at('/Applications/iTerm.app/Contents/MacOS/iTerm2')).toBe(
      '/Applications/iTerm.app/Contents/MacOS/iTerm2',
    )
    expect(at('/Users/dev/iTerm2')).toBeUndefined()
    // A file of that name in the folder where this runs.
    expect(at('package.json')).toBeUndefined()
    expect(at('/bin/sh')).toBe('/bin/sh')
  })
})
