import { describe, expect, it } from 'vitest'
import { bash } from '../../library/testing/events.ts'
import { ALL_ABILITIES, NO_ABILITIES } from '../host.ts'
import { combine } from './combine.ts'
import { fitToHost } from './fit-to-host.ts'
import { unattendedMode } from './unattended.ts'

const ask = combine([{ hook: 'team/rule', hookIndex: 0, effect: 'ask', reason: 'Is this wanted?' }])

describe('the mode in which no user is asked', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string | undefined]>([
    ['Claude Code in bypass mode', { permissionMode: 'bypassPermissions' }, 'bypassPermissions'],
    ['Claude Code in dontAsk mode', { permissionMode: 'dontAsk' }, 'dontAsk'],
    ['Codex with the approval policy never', { raw: { approval_policy: 'never' } }, 'never'],
    ['a program with an approval mode', { raw: { approval_mode: 'yolo' } }, 'yolo'],
    ['Qwen Code in yolo mode', { permissionMode: 'yolo' }, 'yolo'],
    ['the default mode', { permissionMode: 'default' }, undefined],
    ['accepted edits, where commands are still asked about', { permissionMode: 'acceptEdits' }, undefined],
    ['plan mode', { permissionMode: 'plan' }, undefined],
    ['a payload that says nothing', {}, undefined],
    ['a mode that is no text', { raw: { approval_policy: { granular: {} } } }, undefined],
    ['a mode that is longer', { permissionMode: 'bypassPermissionsNot' }, undefined],
  ])('is found for %s', (_name, fields, mode) => {
    expect(unattendedMode(bash('ls', fields))).toBe(mode)
  })
})

describe('a question in a mode in which no user is asked', () => {
  it('becomes a denial that says so, next to its own reason', () => {
    const fitted = fitToHost(ask, ALL_ABILITIES, 'bypassPermissions')
    expect(fitted).toMatchObject({
      effect: 'deny',
      downgraded: ['ask to deny: no user is asked in the mode bypassPermissions'],
      reasons: [{ text: expect.stringMatching(/^Is this wanted\? .*cannot be asked here/) }],
    })
  })

  it('becomes a denial even if the agent would otherwise ask its own question', () => {
    expect(fitToHost(ask, { ...NO_ABILITIES, deny: true, ask: 'by-silence' }, 'dontAsk').effect).toBe('deny')
  })

  it('stays a question in every other mode', () => {
    expect(fitToHost(ask, ALL_ABILITIES)).toMatchObject({
      effect: 'ask',
      reasons: [{ text: 'Is this wanted?' }],
    })
  })

  it.each(['pass', 'allow', 'deny'] as const)('changes nothing for %s', (effect) => {
    const decision = combine([{ hook: 'team/rule', hookIndex: 0, effect, reason: 'so' }])
    expect(fitToHost(decision, ALL_ABILITIES, 'bypassPermissions')).toEqual(
      fitToHost(decision, ALL_ABILITIES),
    )
  })
})
