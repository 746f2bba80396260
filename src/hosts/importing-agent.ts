import { parsePayload } from './payload.ts'

/**
 * The agent that sent a payload to a hook of another one: some agents start the hooks in the settings of Claude Code,
 * or in the files of Copilot CLI and Cursor, in words of their own. Known by fields that no payload of the others has.
 * Undefined: it is the agent that the hook was installed for, or one that speaks and reads exactly as it does.
 */
export function importingAgent(payload: string): string | undefined {
  // Looked for as text first: this runs before every call, and nearly every call is of Claude Code.
  if (!payload.includes('"hookEventName"') && !payload.includes('"cursor_version"')) return undefined
  const parsed = parsePayload(payload)
  if (!parsed.ok) return undefined
  return SENDERS.find(({ keys }) => keys.every((key) => Object.hasOwn(parsed.value, key)))?.host
}

const SENDERS: readonly { readonly host: string; readonly keys: readonly string[] }[] = [
  { host: 'grok', keys: ['hookEventName', 'workspaceRoot'] },
  { host: 'cursor', keys: ['cursor_version', 'conversation_id'] },
  { host: 'vscode', keys: ['hookEventName', 'sessionId'] },
]
