import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HookType } from '../../../core/formats/massgen-hook-type.ts'
import { GeneralHookManager } from '../general-hook-manager.ts'
import { FileInbox, FileInboxHook } from './file-inbox.ts'

const run = promisify(execFile)
/** Runs TypeScript in another process. */
const JITI = import.meta.resolve('jiti/register')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-inbox-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const NOW = Date.parse('2026-01-15T12:00:00Z')
const NAME = 'hook_post_tool_use.json'
const path = () => join(folder, NAME)
const inbox = () => new FileInbox(folder, { now: () => NOW })
/** As another program writes it. */
const arrives = (message: unknown) =>
  writeFileSync(path(), typeof message === 'string' ? message : JSON.stringify(message))
const text = (content = 'mind', more: object = {}) => ({ inject: { content }, ...more })

describe('a message in a folder', () => {
  it('that does not exist', () => {
    expect(inbox().take('Bash')).toBeNull()
  })

  it.each<[string, object, string]>([
    ['for all', text(), 'Bash'],
    ['for this tool', text('mind', { tool_matcher: 'Bash' }), 'Bash'],
    ['for a glob', text('mind', { tool_matcher: 'mcp__*|Ba*' }), 'Bash'],
    ['not yet expired', text('mind', { expires_at: NOW / 1_000 + 1 }), 'Bash'],
    ['not yet expired, as ISO', text('mind', { expires_at: '2026-01-15T12:00:01Z' }), 'Bash'],
    ['with a number', text('mind', { sequence: 1 }), 'Bash'],
    [
      'that has null for missing values',
      { inject: { content: 'mind', strategy: null }, tool_matcher: null, expires_at: null, sequence: null },
      'Bash',
    ],
  ])('%s is taken, once', (_name, message, tool) => {
    arrives(message)
    expect(inbox().take(tool)).toEqual({ content: 'mind', strategy: 'tool_result' })
    expect(existsSync(path())).toBe(false)
    expect(inbox().take(tool)).toBeNull()
  })

  it('for another tool stays', () => {
    arrives(text('mind', { tool_matcher: 'Write|Edit', sequence: 3 }))
    expect(inbox().take('Bash')).toBeNull()
    expect(inbox().take('write')).toBeNull()
    expect(existsSync(path())).toBe(true)
    expect(inbox().take('Edit')?.content).toBe('mind')
  })

  it.each<[string, unknown]>([
    ['expired', text('old', { expires_at: NOW / 1_000 })],
    ['expired, as ISO', text('old', { expires_at: '2026-01-15T11:59:59Z' })],
    ['not JSON', '{"inject": '],
    ['empty', ''],
    ['a list', []],
    ['a text', '"x"'],
    ['without injection', { tool_matcher: '*' }],
    ['without content', { inject: {} }],
    ['with content that is not a string', { inject: { content: 7 } }],
    ['with no content', text('')],
    ['with an unknown strategy', { inject: { content: 'x', strategy: 'shout' } }],
    ['with an invalid matcher', text('x', { tool_matcher: '[' })],
    ['with an invalid time', text('x', { expires_at: 'soon' })],
    ['with an invalid number', text('x', { sequence: '1' })],
    ['larger than the maximum', text('x'.repeat(1024 * 1024))],
  ])('that is %s is deleted', (_name, message) => {
    arrives(message)
    expect(inbox().take('Bash')).toBeNull()
    expect(readdirSync(folder)).toEqual([])
  })

  it('with a number that was already delivered is deleted; a higher one is not', () => {
    arrives(text('first', { sequence: 2 }))
    expect(inbox().take('Bash')?.content).toBe('first')
    for (const sequence of [2, 1]) {
      arrives(text('again', { sequence }))
      expect(inbox().take('Bash')).toBeNull()
      expect(existsSync(path())).toBe(false)
    }
    arrives(text('next', { sequence: 3 }))
    expect(inbox().take('Bash')?.content).toBe('next')
  })

  it('is not read from a folder with its name, which stays', () => {
    mkdirSync(path())
    writeFileSync(join(path(), 'file'), 'x')
    expect(inbox().take('Bash')).toBeNull()
    expect(existsSync(join(path(), 'file'))).toBe(true)
  })
})

describe('putting messages', () => {
  it('is complete, readable only for the owner, and leaves no other file', () => {
    inbox().put('hello', { strategy: 'user_message', toolMatcher: 'Bash', expiresAt: new Date(NOW + 1_000) })
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual([NAME])
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({
      inject: { content: 'hello', strategy: 'user_message' },
      tool_matcher: 'Bash',
      expires_at: NOW / 1_000 + 1,
      sequence: 1,
    })
  })

  it('adds to a message that was not read', () => {
    inbox().put('one', { toolMatcher: 'Read' })
    inbox().put('two', { toolMatcher: 'Write', strategy: 'user_message' })
    expect(inbox().take('Bash')).toBeNull()
    expect(inbox().take('Read')).toEqual({ content: 'one\ntwo', strategy: 'tool_result' })
    inbox().put('three')
    expect(inbox().take('Bash')?.content).toBe('three')
  })

  it('returns it for the next turn if no call came', () => {
    inbox().put('late', { toolMatcher: 'Read' })
    expect(inbox().drain()).toBe('late')
    expect(inbox().drain()).toBeNull()
    arrives(text('again', { sequence: 1 }))
    expect(inbox().take('Read')).toBeNull()
  })

  it('refuses a message that could not be read', () => {
    expect(() => inbox().put('')).toThrow(/HOOK_INVALID/)
    expect(() => inbox().put('x', { toolMatcher: '[' })).toThrow(/HOOK_INVALID/)
    expect(() => inbox().put('x', { expiresAt: new Date(Number.NaN) })).toThrow(/HOOK_INVALID/)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the inbox of an agent', () => {
  const afterCall = (manager: GeneralHookManager, agent: string, tool = 'Bash') =>
    manager.executeHooks(HookType.POST_TOOL_USE, { agent_id: agent, tool_name: tool, tool_input: {} })
  const managerWith = (hook: FileInboxHook) => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook(HookType.POST_TOOL_USE, hook)
    return manager
  }

  it('is read by the first reader, also with two managers on one folder', async () => {
    const managers = [managerWith(new FileInboxHook(inbox())), managerWith(new FileInboxHook(inbox()))]
    const texts: string[] = []
    for (let round = 0; round < 20; round += 1) {
      inbox().put(`message ${round}`)
      const results = await Promise.all(managers.map((manager) => afterCall(manager, 'one')))
      texts.push(...results.flatMap(({ inject }) => (inject === null ? [] : [inject.content])))
    }
    expect(texts).toEqual(Array.from({ length: 20 }, (_, round) => `message ${round}`))
  })

  it('loses nothing and delivers nothing twice, with several processes that write and read at once', async () => {
    const program = `
      import { FileInbox } from ${JSON.stringify(join(import.meta.dirname, 'file-inbox.ts'))}
      const [folder, who] = process.argv.slice(-2)
      const inbox = new FileInbox(folder)
      const heard = []
      for (let count = 0; count < 60; count += 1) {
        inbox.put(who + count)
        heard.push(inbox.take('Bash')?.content ?? '')
      }
      console.log(JSON.stringify(heard.join('\\n')))`
    const script = join(folder, 'both.ts')
    writeFileSync(script, program)
    const box = join(folder, 'box')
    const all = await Promise.all(
      ['a', 'b', 'c'].map(async (who) => {
        const { stdout } = await run(process.execPath, ['--import', JITI, script, box, who])
        return JSON.parse(stdout) as string
      }),
    )
    const heard = `${all.join('\n')}\n${new FileInbox(box).drain() ?? ''}`.split('\n').filter(Boolean)
    const said = ['a', 'b', 'c'].flatMap((who) => Array.from({ length: 60 }, (_, count) => who + count))
    expect(heard.sort()).toEqual(said.sort())
    expect(readdirSync(box)).toEqual(['hook_post_tool_use.delivered'])
  })

  it('may be one for each agent', async () => {
    const own = inbox()
    const manager = managerWith(new FileInboxHook((agent) => (agent === 'two' ? own : undefined)))
    own.put('for two')
    expect((await afterCall(manager, 'one')).inject).toBeNull()
    expect((await afterCall(manager, 'two')).inject?.content).toBe('for two')
  })

  it('must be a FileInbox', () => {
    expect(() => new FileInboxHook('/tmp' as unknown as FileInbox)).toThrow(/HOOK_INVALID/)
  })
})
