import type { Actor } from '../core/actor.ts'
import { type Event, namesOf, toolOf } from '../core/event.ts'
import { writeClaudeJson } from '../core/formats/claude-json.ts'
import type { Matcher } from '../core/hook.ts'
import { type JsonObject, textAt } from '../core/json.ts'
import { compilePattern, type RegexEngine } from '../core/match/pattern.ts'

/** The formats of the event for a child process. Chosen for each hook by `protocol`. */
export type Protocol = 'claude' | 'mux' | 'massgen'
export const PROTOCOLS: readonly Protocol[] = ['claude', 'mux', 'massgen']

/** The actor for a hook of one skill: it gets that skill even if others are active. */
export function inNameOf(skill: string | undefined, actor: Actor): Actor {
  if (skill === undefined) return actor
  return { ...actor, skills: [...actor.skills.filter((other) => other !== skill), skill] }
}

/**
 * The event with the tool name that the hook's matcher uses. A hook for `Task` was written for a tool with that name and
 * compares it, but current agents call the same tool `Agent`. A matcher for both gets the agent's name.
 */
export function asMatched(event: Event, { subject }: Matcher): Event {
  const tool = toolOf(event)
  if (tool === undefined || subject === undefined) return event
  const [own = '', ...others] = namesOf(tool.name)
  // A patch has a different input format: under another name it would be read incorrectly.
  if (others.length === 0 || own === 'apply_patch') return event
  const matches = compilePattern(subject, PLAIN_REGEX)
  const asked = matches(own) ? undefined : others.find(matches)
  return asked === undefined ? event : ({ ...event, tool: { ...tool, name: asked } } as Event)
}

/** The words are a few short names of Holdpoint's own table, so any engine is fast enough. */
const PLAIN_REGEX: RegexEngine = {
  compile(source) {
    const regex = new RegExp(source)
    return (word) => regex.test(word)
  },
}

/** The event as the child reads it on its standard input. */
export function spellEvent(event: Event, actor: Actor, protocol: Protocol, now: Date): JsonObject {
  const tool = toolOf(event)
  if (protocol === 'massgen') {
    const output = 'output' in event ? event.output : undefined
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
  return writeClaudeJson(event)
}

/** The time of the event, if the caller sends it. */
function toldTime(raw: JsonObject, now: Date): Date {
  const told = new Date(textAt(raw, 'timestamp') ?? '')
  return Number.isNaN(told.getTime()) ? now : told
}
