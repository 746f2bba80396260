import { describe, expect, it } from 'vitest'
import { readPluginReply } from './plugin-answer.ts'

const reply = (body: unknown, exitCode = 0, stderr = '') => ({
  stdout: typeof body === 'string' ? body : JSON.stringify(body),
  stderr,
  exitCode,
})

describe('readPluginReply', () => {
  it('reads everything that a plugin can do', () => {
    expect(readPluginReply(reply({ decision: 'deny', reason: 'No.' }), 'deny')).toMatchObject({
      kind: 'deny',
      reason: 'No.',
    })
    expect(readPluginReply(reply({ decision: 'ask', reason: 'Sure?' }), 'deny')).toMatchObject({
      kind: 'ask',
      reason: 'Sure?',
    })
    expect(readPluginReply(reply({ input: { command: 'ls' }, context: 'C' }), 'deny')).toEqual({
      kind: 'pass',
      input: { command: 'ls' },
      context: 'C',
      notices: '',
    })
    expect(readPluginReply(reply('', 0, 'note\n'), 'deny')).toEqual({ kind: 'pass', notices: 'note' })
    expect(readPluginReply(reply('', 2, 'Stopped: why\n'), 'pass')).toMatchObject({
      kind: 'deny',
      reason: 'Stopped: why',
    })
  })

  it.each<[string, ReturnType<typeof reply>]>([
    ['text', reply('go')],
    ['half of it', reply('{"decision":')],
    ['a list', reply([])],
    ['null', reply('null')],
    ['a decision nobody knows', reply({ decision: 'allow-all' })],
    ['a decision that is not text', reply({ decision: true })],
    ['an input that is not an object', reply({ input: 'rm -rf /' })],
    ['an exit code nobody knows', reply('', 1)],
    ['another exit code with a body', reply({ context: 'x' }, 3)],
  ])('denies before a call, and passes elsewhere, for %s', (_name, given) => {
    expect(readPluginReply(given, 'deny').kind).toBe('deny')
    expect(readPluginReply(given, 'pass').kind).toBe('pass')
  })

  it('has a reason even if none was given', () => {
    for (const given of [reply({ decision: 'deny' }), reply({ decision: 'deny', reason: ' ' }), reply('', 2)])
      expect(readPluginReply(given, 'deny')).toMatchObject({ kind: 'deny', reason: 'Stopped by Holdpoint.' })
  })
})
