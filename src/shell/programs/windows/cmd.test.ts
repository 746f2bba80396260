import { describe, expect, it } from 'vitest'
import { spellCommand } from '../../vocabulary/command.ts'
import { readCommands } from '../../walk/read-commands.ts'

/** What is started, behind the command itself. */
function started(text: string): readonly string[] {
  const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) throw new Error(`${text}: ${analysis.why}`)
  return analysis.commands.slice(1).map((command) => spellCommand(command))
}

describe('the command line of Windows', () => {
  it.each([
    ['cmd /c rd /s /q C:\\Users', 'rm -r /Users'],
    ['cmd.exe /c "rd /s /q C:\\Users"', 'rm -r /Users'],
    ['cmd //c "rmdir //s //q C:\\\\Users"', 'rm -r /Users'],
    ['cmd /c "rmdir /s /q %USERPROFILE%\\x"', 'rm -r ~/x'],
    ['cmd /C rd /s/q C:\\Windows', 'rm -r /Windows'],
    ['cmd /c "rmdir empty"', 'rmdir empty'],
    ['cmd /c "del /q a.obj"', 'rm a.obj'],
    ['cmd /c "del /s /q C:\\x\\*"', 'find /x/ -delete'],
    ['cmd /c "type .env"', 'cat .env'],
    ['cmd /c "move a b"', 'mv a b'],
    ['cmd /c "npm ci && rd /s /q dist"', 'rm -r dist'],
    ['cmd /c "npm ci && rd /s /q dist"', 'npm ci'],
    ['rd /s /q C:\\Users', 'rm -r /Users'],
    ['rmdir /s /q node_modules', 'rm -r node_modules'],
    ['del /f a.txt', 'rm a.txt'],
    ['Remove-Item -Recurse C:\\Users', "pwsh -Command 'Remove-Item -Recurse C:\\Users'"],
  ])('%s runs %s', (text, run) => {
    expect(started(text)).toContain(run)
  })

  it.each([['cmd /c dir'], ['rmdir a/b'], ['cmd'], ['del']])('%s deletes nothing of that kind', (text) => {
    expect(started(text).filter((line) => /^(rm|find|mv)\b/.test(line))).toEqual([])
  })
})
