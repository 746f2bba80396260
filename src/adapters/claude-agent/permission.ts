import { ALL_ABILITIES } from '../../core/host.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Ask, askPerson } from '../question.ts'
import { judgePermission, type QueryContext } from './judge-payload.ts'
import type { SdkCanUseTool, SdkPermission } from './sdk-types.ts'

/**
 * The SDK's `canUseTool`. The user is asked only if no hook decides, about the input as hooks changed it.
 * `calls` are the payloads of earlier PreToolUse events: a permission question does not name its session.
 */
export function permission(context: QueryContext, ask: Ask, calls: Map<string, JsonObject>): SdkCanUseTool {
  return async (tool, input, { signal, toolUseID = '', agentID, decisionReason, suggestions }) => {
    const known = calls.get(toolUseID)
    calls.delete(toolUseID)
    const payload = {
      ...known,
      hook_event_name: 'PermissionRequest',
      tool_name: tool,
      tool_input: input,
      tool_use_id: toolUseID,
      permission_suggestions: suggestions ?? [],
      ...(agentID === undefined ? {} : { agent_id: agentID }),
    } as unknown as JsonObject
    try {
      const { effect, reasons, rewrite } = await judgePermission(context, payload, PERMISSION, signal)
      const said = reasons.map((reason) => reason.text).join('\n')
      if (effect === 'deny') return { behavior: 'deny', message: said || 'Denied by Holdpoint.' }
      const updatedInput: Record<string, unknown> = rewrite ?? input
      const yes: SdkPermission = { behavior: 'allow', updatedInput }
      if (effect === 'allow') return yes
      const session = known?.session_id
      const objection = await askPerson(ask, {
        tool,
        input: updatedInput,
        reason: said || decisionReason || `${tool} needs permission.`,
        useId: toolUseID,
        signal,
        ...(typeof session === 'string' ? { session } : {}),
        ...(agentID === undefined ? {} : { agent: agentID }),
      })
      return objection === undefined ? yes : { behavior: 'deny', message: objection }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { behavior: 'deny', message: `This call could not be checked: ${why}` }
    }
  }
}

const PERMISSION = { ...ALL_ABILITIES, context: false, output: false }
