import { expect, test } from 'vitest'
import { source } from '../../config/sources/claude-settings/source.ts'
import type { JsonObject } from '../../core/json.ts'
import { chooseHooks, closed, mergeAdoptions, withCopies } from './choose.ts'

const SETTINGS: JsonObject = {
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: './a' },
          { type: 'command', command: './unclear' },
          { type: 'command', command: './late', async: true },
          { type: 'http', url: 'http://127.0.0.1/' },
          { type: 'command', command: './some', if: 'Bash(git *)' },
        ],
      },
      { matcher: 'Bash', hooks: [{ type: 'command', command: './a', statusMessage: 'a moment' }] },
    ],
    WorktreeCreate: [{ hooks: [{ type: 'command', command: './b' }] }],
  },
  preToolUseHook: { script: './mux', skillScope: ['mux', 'ospec'] },
}

test('takes only hooks that Holdpoint can run as the agent does', () => {
  const text = JSON.stringify(SETTINGS)
  const layer = source.parse(text, { path: '/p/s.json', rank: 'project', trusted: true, root: '/p' })
  if (!layer.ok) throw new Error(layer.problem.message)
  const candidates = chooseHooks(layer.value, SETTINGS, {
    events: new Set(['PreToolUse']),
    unclear: ({ run }) => (run.command === './unclear' ? 'Holdpoint cannot tell' : undefined),
  })
  expect(candidates.map(({ key, stays }) => [key, stays])).toEqual([
    ['hooks.PreToolUse[0].hooks[0]', undefined],
    ['hooks.PreToolUse[0].hooks[1]', 'Holdpoint cannot tell'],
    ['hooks.PreToolUse[0].hooks[2]', 'it runs in the background'],
    ['hooks.PreToolUse[0].hooks[3]', 'it is not a command'],
    [
      'hooks.WorktreeCreate[0].hooks[0]',
      '`holdpoint init` did not add a hook for WorktreeCreate in this scope, so it would never run',
    ],
    ['preToolUseHook', undefined],
    ['preToolUseHook', undefined],
  ])
})

test('takes equal handlers together, because otherwise both would run', () => {
  const isTaken = withCopies(['hooks.PreToolUse[0].hooks[0]'], SETTINGS)
  expect(isTaken('hooks.PreToolUse[1].hooks[0]')).toBe(true)
  expect(isTaken('hooks.PreToolUse[0].hooks[1]')).toBe(false)
  expect(isTaken('preToolUseHook')).toBe(false)
})

test('--closed is written into each handler, also in a flat group', () => {
  expect(closed({ hooks: { Stop: [{ command: './a' }, { hooks: [{ command: './b' }] }] } })).toEqual({
    hooks: {
      Stop: [{ command: './a', onFailure: 'block' }, { hooks: [{ command: './b', onFailure: 'block' }] }],
    },
  })
  expect(closed({})).toEqual({})
})

test('a second adoption comes after the first', () => {
  const first = { hooks: { Stop: [{ command: './a' }] } }
  const second = { hooks: { Stop: [{ command: './b' }], PreCompact: [] }, preToolUseHook: {} }
  expect(mergeAdoptions(first, second)).toEqual({
    hooks: { Stop: [{ command: './a' }, { command: './b' }], PreCompact: [] },
    preToolUseHook: {},
  })
})
