import { describe, expect, it } from 'vitest'
import { type Ancestor, agentAbove, ancestors } from './ancestry.ts'

const one = (programs: readonly string[], ...environment: string[]): Ancestor => ({
  pid: 7,
  programs,
  environment,
  words: programs,
})

describe('agentAbove', () => {
  it.each<[string, Ancestor]>([
    ['claude', one(['claude'])],
    ['claude', one(['node', 'node', '/usr/local/bin/claude'])],
    ['codex', one(['MainThread', '/opt/codex/codex.js'])],
    ['an agent (CLAUDECODE is set)', one(['bash'], 'PATH=/bin', 'CLAUDECODE=1')],
    ['an agent (CODEX_SANDBOX is set)', one(['sh'], 'CODEX_SANDBOX=seatbelt')],
    ['an agent (GEMINI_CLI is set)', one(['sh'], 'GEMINI_CLI=1')],
    ['an agent (AI_AGENT is set)', one(['sh'], 'AI_AGENT=x')],
  ])('finds %s in any parent process', (expected, ancestor) => {
    expect(agentAbove([one(['node'], 'PATH=/bin'), one(['bash']), ancestor, one(['init'])])).toBe(expected)
  })

  it.each<[string, Ancestor]>([
    ['a shell in a terminal', one(['zsh', '-zsh'], 'TERM=xterm', 'HOME=/home/dev')],
    ['a setting for the files of an agent', one(['bash'], 'CODEX_HOME=/x', 'CLAUDE_CONFIG_DIR=/y')],
    ["an editor's terminal", one(['bash'], 'CLAUDE_CODE_SSE_PORT=1234', 'CURSOR_TRACE_ID=1')],
    ['a file of that name', one(['vim', 'vim'])],
    ['a value of that name', one(['bash'], 'LAST=CLAUDECODE')],
  ])('does not take %s for an agent', (_name, ancestor) => {
    expect(agentAbove([ancestor])).toBeUndefined()
  })

  it('treats parent processes that it cannot see as an agent', () => {
    expect(agentAbove(undefined)).toBeDefined()
  })
})

describe('ancestors', () => {
  it('are this process and its parents', () => {
    const [own, parent] = ancestors() ?? []
    expect(own?.pid).toBe(process.pid)
    expect(parent?.pid).toBe(process.ppid)
    expect(own?.programs.join(' ')).toContain('node')
  })
})
