import { describe, expect, it, test } from 'vitest'
import { bash, eventOf } from '../../library/testing/events.ts'
import type { Finding } from '../decision.ts'
import type { Event } from '../event.ts'
import { applyRewrites, isRewrite } from './apply-rewrites.ts'

const finding = (more: Partial<Finding>): Finding => ({ hook: 'h', effect: 'pass', ...more })
const tool = { name: 'Bash', input: { command: 'ls' }, useId: '1' }
const call = bash('ls', { tool: { ...tool, files: [{ path: '/a', change: 'add' }] } })
const asked = eventOf('PermissionRequest', { tool })
const ran = eventOf('PostToolUse', { tool, output: 'old' })
const failed = eventOf('PostToolUseFailure', { tool, error: 'old' })

describe('the event that the next hooks see', () => {
  test.each<[string, Event, Partial<Finding>, object]>([
    [
      'a new input of a call',
      call,
      { rewrite: { command: 'b' } },
      { ...call, tool: { ...tool, input: { command: 'b' } } },
    ],
    [
      'a new input of a request',
      asked,
      { rewrite: { a: 1 } },
      { ...asked, tool: { ...tool, input: { a: 1 } } },
    ],
    ['a new output', ran, { output: { b: 1 } }, { ...ran, output: { b: 1 } }],
    ['a new error', failed, { output: 'new' }, { ...failed, error: 'new' }],
    ['a new error that is no text', failed, { output: { b: 1 } }, { ...failed, error: '{"b":1}' }],
  ])('has %s', (_what, event, change, changed) => {
    const seen = applyRewrites(event, [finding({}), finding(change)])
    expect(seen).toStrictEqual(changed)
    expect(Object.isFrozen(seen)).toBe(true)
  })

  test.each<[string, Event, Partial<Finding>]>([
    ['nothing', call, {}],
    ['an output of a call', call, { output: 'x' }],
    ['an output of a request', asked, { output: 'x' }],
    ['an input of a result', ran, { rewrite: { a: 1 } }],
    ['an input of a failure', failed, { rewrite: { a: 1 } }],
    ['anything of a stop', eventOf('Stop'), { rewrite: { a: 1 }, output: 'x' }],
  ])('is the same one after %s', (_what, event, change) => {
    expect(applyRewrites(event, [finding(change)])).toBe(event)
  })

  it('has the last of several changes', () => {
    const changes = ['a', 'b'].map((command) => finding({ rewrite: { command } }))
    expect(applyRewrites(call, changes)).toMatchObject({ tool: { input: { command: 'b' } } })
  })

  test.each<[Partial<Finding>, boolean]>([
    [{ rewrite: {} }, true],
    [{ output: '' }, true],
    [{ reason: 'x' }, false],
  ])('%j is a change: %s', (more, isChange) => {
    expect(isRewrite(finding(more))).toBe(isChange)
  })
})
