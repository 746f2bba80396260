import type { Dialect } from '../dialect.ts'
import { ADDITIONAL_CONTEXT, UPDATED_INPUT } from '../dialect-shapes.ts'
import { DROID_TOOLS } from './tools.ts'

/**
 * Droid 0.225.2 as it was seen to behave with `droid exec`. Of several hooks the first that decides in JSON wins; only
 * exit 2 stops a call whatever another hook has said, so that is how it is denied.
 */
export const DROID: Dialect = {
  id: 'droid',
  title: 'Droid',
  eventKey: 'hook_event_name',
  tools: DROID_TOOLS,
  notices: 'stderr',
  projectVariable: 'FACTORY_PROJECT_DIR',
  events: {
    PreToolUse: { kind: 'PreToolUse', says: { deny: 'exit', rewrite: UPDATED_INPUT } },
    PostToolUse: { kind: 'PostToolUse', says: { context: ADDITIONAL_CONTEXT } },
    UserPromptSubmit: { kind: 'UserPromptSubmit', says: { deny: 'exit' } },
    SessionStart: { kind: 'SessionStart', says: { context: ADDITIONAL_CONTEXT } },
    SessionEnd: { kind: 'SessionEnd' },
    Stop: { kind: 'Stop', says: { deny: 'exit' } },
    SubagentStop: { kind: 'SubagentStop', says: { deny: 'exit' } },
    PreCompact: { kind: 'PreCompact' },
    Notification: { kind: 'Notification' },
  },
  limits: [
    {
      kind: 'open',
      says: 'a hook that is killed, takes too long or prints invalid output lets the tool run; the installed command answers before that.',
    },
    {
      kind: 'prompt',
      says: '`ask` becomes a deny. With `droid exec` prompts are not seen, and a tool that failed is not either.',
    },
    {
      kind: 'identity',
      says: 'a sub-agent looks like a main agent with a session of its own: rules for one role hold for both or for none.',
      instead: 'To keep sub-agents out, deny the tool Agent.',
    },
    {
      kind: 'open',
      says: 'a new input is laid over the old one: a field that is left out keeps its old value.',
    },
  ],
}
