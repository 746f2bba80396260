import { describe, expect, it } from 'vitest'
import type { Reply } from '../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../core/event.ts'
import type { Host } from '../core/host.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from './host.contract.ts'

/** What OpenCode 1.18.33 and Kilo 7.7.9 with our plugin were seen to do, for both. */
export function openCodeContract(host: Host, folder: string): void {
  const fixtures = recordedIn(folder)
  const payloadFor = (kind: EventKind) => fixtures.get(`${kind}.json`) ?? fixtures.get(`${kind}.bash.json`)
  hostContract({ host, fixtures, payloadFor, obeys })

  const recorded = (name: string): Event => {
    const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/' })
    if (!result.ok) throw new Error(result.problem.message)
    return result.value
  }

  describe(`host ${host.id}: what is read`, () => {
    it('a call in the words of all hosts', () => {
      const shell = recorded('PreToolUse.bash.json')
      expect(toolOf(shell)).toMatchObject({
        name: 'Bash',
        hostName: 'bash',
        input: { command: expect.any(String) },
      })
      expect(shell.cwd).toBe('/srv/project')
      const call = (tool_name: string, tool_input: object) =>
        host.decode({
          payload: JSON.stringify({ hook_event_name: 'tool.execute.before', tool_name, tool_input }),
          cwd: '/',
        })
      for (const [name, input, tool] of [
        [
          'edit',
          { filePath: '/a', oldString: 'x', newString: 'y' },
          { name: 'Edit', input: { file_path: '/a', old_string: 'x', new_string: 'y' } },
        ],
        [
          'write',
          { filePath: '/a', content: 'x' },
          { name: 'Write', input: { file_path: '/a', content: 'x' } },
        ],
        ['read', { filePath: '/a' }, { name: 'Read', input: { file_path: '/a' } }],
        ['skill', { name: 'tidy' }, { name: 'Skill', input: { skill: 'tidy' } }],
        [
          'apply_patch',
          { patchText: '*** Begin Patch' },
          { name: 'apply_patch', input: { command: '*** Begin Patch' } },
        ],
      ] as const)
        expect(call(name, input)).toMatchObject({ ok: true, value: { tool } })
    })

    it('the identity of a sub-agent, under the session that a person began', () => {
      const inside = recorded('PreToolUse.bash.subagent.json')
      expect(inside).toMatchObject({ agentType: 'general', agentId: expect.stringMatching(/^ses_/) })
      expect(inside.session).not.toBe(inside.agentId)
      expect(recorded('PreToolUse.bash.json').agentId).toBeUndefined()
    })
  })
}

/** The plugin throws to stop a call or a prompt, and adds texts to the prompt or to the result of the tool. */
function obeys(reply: Reply, event: Event): Obeyed {
  const canStop = ['tool.execute.before', 'chat.message'].includes(event.name)
  if (reply.exitCode === 2) return canStop ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  const body = bodyOf(reply)
  if (body === undefined) return { does: 'goes on', ...notice }
  if (canStop && body.decision === 'deny') return { does: 'stops', reason: String(body.reason), ...notice }
  const isEnd = event.name.endsWith('.idle')
  return {
    does: 'goes on',
    ...notice,
    ...(typeof body.context === 'string' && !isEnd ? { context: body.context } : {}),
    ...(event.name === 'tool.execute.before' && body.input !== undefined ? { input: body.input } : {}),
    ...(event.name === 'tool.execute.after' && body.output !== undefined ? { output: body.output } : {}),
  }
}
