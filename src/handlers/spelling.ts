import type { Actor } from '../actor.ts'
import { type Event, toolOf } from '../event.ts'
import { type Json, type JsonObject, textAt } from '../json.ts'

/** The words a child process is spoken to in. Chosen per hook by `protocol`. */
export type Protocol = 'claude' | 'mux' | 'massgen'
export const PROTOCOLS: readonly Protocol[] = ['claude', 'mux', 'massgen']

/** The actor as a hook of one skill sees it: whatever else is active, it is asked for that one. */
export function inNameOf(skill: string | undefined, actor: Actor): Actor {
  if (skill === undefined) return actor
  return { ...actor, skills: [...actor.skills.filter((other) => other !== skill), skill] }
}

/** The event as the child reads it on its standard input. The host's own fields survive in the Claude spelling. */
export function spellEvent(event: Event, actor: Actor, protocol: Protocol, now: Date): JsonObject {
  const tool = toolOf(event)
  const output = 'output' in event ? event.output : undefined
  if (protocol === 'massgen') {
    return {
      hook_type: event.kind,
      session_id: event.session,
      orchestrator_id: textAt(event.raw, 'orchestrator_id') ?? event.session,
      agent_id: event.agentId ?? null,
      timestamp: toldTime(event.raw, now).toISOString(),
      tool_name: tool?.name ?? '',
      tool_input: tool?.input ?? {},
      tool_output:
        output === undefined || typeof output === 'string' ? (output ?? null) : JSON.stringify(output),
    }
  }
  if (protocol === 'mux') {
    return {
      hook_event_name: event.kind,
      session_id: event.session,
      tool_name: tool?.name ?? '',
      tool_input: tool?.input ?? {},
      tool_args: tool?.input ?? {},
      context: {
        skill: actor.skills.at(-1) ?? null,
        skills: actor.skills,
        agent_type: actor.agentType ?? null,
      },
    }
  }
  return { ...event.raw, ...claudeFields(event, output) }
}

/** When the caller says it happened, where it says so. */
function toldTime(raw: JsonObject, now: Date): Date {
  const told = new Date(textAt(raw, 'timestamp') ?? '')
  return Number.isNaN(told.getTime()) ? now : told
}

function claudeFields(event: Event, output: Json | undefined): JsonObject {
  const tool = toolOf(event)
  return {
    session_id: event.session,
    cwd: event.cwd,
    hook_event_name: event.kind,
    ...(event.transcriptPath === undefined ? {} : { transcript_path: event.transcriptPath }),
    ...(event.permissionMode === undefined ? {} : { permission_mode: event.permissionMode }),
    ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
    ...(event.agentType === undefined ? {} : { agent_type: event.agentType }),
    ...(tool === undefined ? {} : { tool_name: tool.name, tool_input: tool.input }),
    ...(tool?.useId === undefined ? {} : { tool_use_id: tool.useId }),
    ...(output === undefined ? {} : { tool_response: output }),
  }
}
