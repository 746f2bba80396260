import { ALL_ABILITIES } from '../../hosts/host.ts'
import type { JsonObject } from '../../json.ts'
import { type Ask, askPerson } from '../question.ts'
import { type Desk, judgePermission } from './judge-payload.ts'
import type { SdkCanUseTool, SdkPermission } from './sdk-types.ts'

/**
 * The SDK's `canUseTool`. The person is asked only where no hook decides, and about the input as hooks left it. `calls`
 * are the payloads of calls that were met before: a question of permission does not say which session it is of.
 */
export function permission(desk: Desk, ask: Ask, calls: Map<string, JsonObject>): SdkCanUseTool {
  return async (tool, input, { signal, toolUseID, agentID, decisionReason, suggestions }) => {
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
      const { effect, reasons, rewrite } = await judgePermission(desk, payload, PERMISSION, signal)
      const said = reasons.map((reason) => reason.text).join('\n')
      if (effect === 'deny') return { behavior: 'deny', message: said || 'Stopped by Holdpoint.' }
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
      return { behavior: 'deny', message: `This could not be judged: ${why}` }
    }
  }
}

const PERMISSION = { ...ALL_ABILITIES, context: false, output: false }
