import { toolOf } from '../../../core/event.ts'
import type { Example, Guard } from '../../../core/guard.ts'
import { textAt } from '../../../core/json.ts'
import { bareSkill } from '../../../core/state/actors.ts'
import { quotedValue } from '../../mux/messages.ts'
import { readMuxOptions } from './options.ts'

/**
 * An agent that loaded the skill `mux-subagent` may use all tools, but it reports with signals and loads no other
 * skill.
 */
export const subagent: Guard = {
  id: 'mux/subagent',
  title: 'Sub-agent that waits for others or loads more skills',
  why: 'Sub-agents report with signal files, and another skill would only fill their context.',
  instead:
    'write the report, write the signal with `holdpoint mux signal SESSION_DIR/.signals/NAME.done --path REPORT`, and return 0.',
  on: ['PreToolUse'],
  match: '*',
  skill: 'mux-subagent',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      { tool: 'TaskOutput', input: { task_id: 'a1', block: true } },
      { tool: 'TaskOutput', input: { task_id: 'a1', block: false } },
      { tool: 'TaskOutput', input: {} },
      { tool: 'AgentOutputTool', input: { agentId: 'a1' } },
      { tool: 'Skill', input: { skill: 'pdf' } },
      { tool: 'Skill', input: { skill: 'mux' } },
      { tool: 'Skill', input: { skill: 'mux-subagent' } },
      { tool: 'Skill', input: { skill: 'plugin:review', args: 'x' } },
      { tool: 'Skill', input: {} },
    ],
    passes: [
      { tool: 'Read', input: { file_path: 'src/main.ts' } },
      { tool: 'Write', input: { file_path: 'report.md', content: '0' } },
      { tool: 'Edit', input: { file_path: 'a.md', old_string: 'a', new_string: 'b' } },
      { tool: 'Grep', input: { pattern: 'TODO' } },
      { tool: 'Glob', input: { pattern: '**/*.ts' } },
      { tool: 'WebSearch', input: { query: 'x' } },
      { tool: 'WebFetch', input: { url: 'https://example.com' } },
      { tool: 'Agent', input: { prompt: 'x', run_in_background: false } },
      { tool: 'TaskStop', input: { task_id: 'a1' } },
      { tool: 'SomethingNew', input: {} },
      ...[
        'npm test && cat log | head',
        'ls tmp/mux/x/.signals',
        'holdpoint mux signal a.done --path r.md',
      ].map(bash),
    ],
  },
  check({ event, options }) {
    const tool = toolOf(event)
    if (tool === undefined) return { effect: 'deny', reason: 'A call without a tool cannot be checked.' }
    if (OUTPUT.has(tool.name)) return { effect: 'deny', reason: `${tool.name} ${FORBIDDEN} ${USE_SIGNALS}` }
    if (tool.name !== 'Skill') return null
    const skill = textAt(tool.input, 'skill')
    if (skill !== undefined && readMuxOptions(options).subagentSkillAllow.includes(bareSkill(skill)))
      return null
    const which = skill === undefined ? '' : ` ${quotedValue(skill)} is not needed:`
    return {
      effect: 'deny',
      reason: `Skill ${FORBIDDEN}${which} no additional skills after mux-subagent. If the work cannot be done without it, return PERMISSION_DENIED: Skill.`,
    }
  },
}

const OUTPUT: ReadonlySet<string> = new Set(['TaskOutput', 'AgentOutputTool'])
const FORBIDDEN = 'is forbidden for MUX sub-agents.'
const USE_SIGNALS = 'Use signal files: write yours with `holdpoint mux signal`, and read those of others.'

function bash(command: string): Example {
  return { tool: 'Bash', input: { command } }
}
