import { describe, expect, it } from 'vitest'
import { HookType } from '../../core/formats/massgen-hook-type.ts'
import { FunctionHook, type LegacyCallable, type LegacyContext } from './function-hook.ts'
import { FunctionHookManager } from './function-hook-manager.ts'
import { GeneralHookManager } from './general-hook-manager.ts'

const { PRE_CALL, POST_CALL, PRE_TOOL_USE } = HookType

/** A permission hook with the older signature. */
class NoSecrets extends FunctionHook {
  readonly seen: LegacyContext[] = []
  execute(functionName: string, argumentsJson: string, context: LegacyContext): boolean {
    this.seen.push(context)
    return !(functionName === 'read_file' && argumentsJson.includes('.env'))
  }
}

describe('older permission hooks, unchanged (R-004-06, R-004-11, R-004-31)', () => {
  it.each([
    ['{"path":".env"}', false],
    ['{"path":"README.md"}', true],
  ])('of an object: %s', async (args, allowed) => {
    const hook = new NoSecrets()
    const manager = new FunctionHookManager()
    manager.registerGlobalHook(PRE_CALL, hook)
    const context = { agent_id: 'one', session_id: 's', team: { lead: 'x' } }
    expect((await manager.executeHooks(PRE_CALL, 'read_file', args, context)).allowed).toBe(allowed)
    expect(hook.seen).toMatchObject([
      { agent_id: 'one', hook_type: 'PreToolUse', tool_name: 'read_file', team: { lead: 'x' } },
    ])
  })

  it.each<[string, LegacyCallable, object]>([
    ['yes', () => true, { allowed: true }],
    ['no', () => false, { allowed: false, decision: 'deny' }],
    ['no, later', async () => false, { allowed: false }],
    ['a result', () => ({ allowed: false, reason: 'not you' }), { allowed: false, reason: 'not you' }],
    ['nothing', () => undefined, { allowed: true }],
    ['the arguments it got', (_name, args) => ({ allowed: false, reason: args }), { reason: '{"a":1}' }],
    [
      'an error: permissions fail closed',
      () => {
        throw new Error('x')
      },
      { allowed: false },
    ],
    ['a wrong type: the same', () => 'yes' as unknown as boolean, { allowed: false }],
  ])('of a function that answers %s', async (_name, hook, expected) => {
    const manager = new FunctionHookManager()
    manager.registerHook('read_file', PRE_CALL, hook)
    expect(await manager.executeHooks(PRE_CALL, 'read_file', '{"a":1}')).toMatchObject(expected)
    expect(await manager.executeHooks(PRE_CALL, 'write_file', '{}')).toMatchObject({ allowed: true })
    expect(await manager.executeHooks(POST_CALL, 'read_file', '{}')).toMatchObject({ allowed: true })
  })

  it.each(['not json', '[1]', '{"raw":"x"}', '{"cut": '])(
    'get the arguments as the model wrote them: %s',
    async (written) => {
      const manager = new FunctionHookManager()
      manager.registerHook('read_file', PRE_CALL, (_name, args) => ({ allowed: false, reason: args }))
      expect(await manager.executeHooks(PRE_CALL, 'read_file', written)).toMatchObject({ reason: written })
    },
  )

  it('are found by their tool, and cleared', async () => {
    const manager = new FunctionHookManager()
    const [all, one] = [new NoSecrets(), new NoSecrets()]
    manager.registerGlobalHook(PRE_CALL, all)
    manager.registerHook('read_file', PRE_CALL, one)
    expect(manager.getHooksForFunction('read_file')[PRE_CALL]).toEqual([all, one])
    expect(manager.getHooksForFunction('other')[PRE_CALL]).toEqual([all])
    expect(manager.getHooksForFunction('other')[POST_CALL]).toEqual([])
    manager.clearHooks()
    expect(manager.getHooksForFunction('read_file')[PRE_CALL]).toEqual([])
    expect((await manager.executeHooks(PRE_CALL, 'read_file', '.env')).allowed).toBe(true)
  })

  it('decide themselves whether they fail open', async () => {
    class Open extends FunctionHook {
      execute(): never {
        throw new Error('x')
      }
    }
    const manager = new FunctionHookManager()
    manager.registerGlobalHook(PRE_CALL, new Open({ fail_closed: false }))
    expect((await manager.executeHooks(PRE_CALL, 'x', '{}')).allowed).toBe(true)
  })

  it('that are not hooks are refused', () => {
    const manager = new FunctionHookManager()
    expect(() => manager.registerGlobalHook(PRE_CALL, 7 as unknown as LegacyCallable)).toThrow(/HOOK_INVALID/)
    const hookless = class extends NoSecrets {
      override execute = undefined as never
    }
    expect(() => manager.registerGlobalHook(PRE_CALL, new hookless())).toThrow(/HOOK_INVALID/)
    const newer = new GeneralHookManager()
    expect(() => newer.registerGlobalHook(PRE_TOOL_USE, NoSecrets as never)).toThrow(/HOOK_INVALID/)
    expect(manager.registrations()).toEqual([])
  })

  it('can be moved to the newer manager step by step (R-004-07)', async () => {
    const older = new FunctionHookManager()
    older.registerGlobalHook(PRE_CALL, new NoSecrets())
    older.registerHook('shell', PRE_CALL, () => false)
    const manager = new GeneralHookManager()
    expect(manager.adopt(older)).toHaveLength(2)
    manager.registerGlobalHook(PRE_TOOL_USE, ({ tool_name }) => tool_name !== 'delete')
    const allowed = async (tool: string, input: string) =>
      (await manager.executeHooks(PRE_TOOL_USE, { tool_name: tool, tool_input: input })).allowed
    expect(await allowed('read_file', '{"path":".env"}')).toBe(false)
    expect(await allowed('read_file', '{}')).toBe(true)
    expect(await allowed('shell', '{}')).toBe(false)
    expect(await allowed('delete', '{}')).toBe(false)
  })
})
