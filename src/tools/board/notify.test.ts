import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { notificationText, notifierOf } from './notify.ts'

it('is the tool and its input in one line, without signs that a terminal or a desktop would obey', () => {
  const call = JSON.stringify({ tool: 'Bash', input: 'echo \u001b[2J\n\u202e && rm x' })
  expect(notificationText(call)).toBe('Bash echo [2J && rm x')
  expect(notificationText(JSON.stringify({ event: 'Stop' }))).toBe('Stop')
  expect(notificationText(JSON.stringify({ tool: 'Bash', input: 'x'.repeat(999) }))).toHaveLength(200)
})

it.each(['', 'null', '[]', '{"tool":'])('is empty for %j', (call) => {
  expect(notificationText(call)).toBe('')
})

it('starts the program of the policy with the text as arguments, without a shell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-notify-'))
  const [program, shown] = [join(folder, 'show'), join(folder, 'shown')]
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${shown}.part && mv ${shown}.part ${shown}\n`, {
    mode: 0o755,
  })
  notifierOf([program, '--quiet'], 'linux')?.('A call waits', '$(touch no) `touch no`')
  await vi.waitFor(() => expect(readFileSync(shown, 'utf8')).not.toBe(''), { timeout: 30_000 })
  expect(readFileSync(shown, 'utf8')).toBe('--quiet\nA call waits\n$(touch no) `touch no`\n')
  rmSync(folder, { recursive: true })
})

it('does nothing where it is off, or the system has no notifications', () => {
  expect(notifierOf(false, 'linux')).toBeUndefined()
  expect(notifierOf(true, 'aix')).toBeUndefined()
  // A program that does not exist is no reason to fail.
  notifierOf(['/nowhere/notify'], 'linux')?.('title', 'text')
})
