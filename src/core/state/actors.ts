import { type Actor, actorKey, MAIN, UNKNOWN_PARENT } from '../actor.ts'
import type { Effect } from '../decision.ts'
import type { Event, ToolCall } from '../event.ts'
import { isObject, textAt } from '../json.ts'
import { usedSpawn } from './fold.ts'
import type { ActorState, SessionState, StateChange } from './state.ts'

/**
 * Which actor an event belongs to, and what the event changes about actors: skills begin and end, sub-agents start
 * and finish, conversations are cleared. Pure; the same rules on every host.
 */
export function resolveActor(
  event: Event,
  state: SessionState | undefined,
  skillsOfCall: readonly string[] = [],
): Actor {
  const known = state?.actors.get(actorKey(event.agentId))
  const agentType = event.agentType ?? known?.type
  const skills = [...(known?.skills ?? [])]
  for (const skill of skillsOfCall) if (!skills.includes(skill)) skills.push(skill)
  return {
    session: event.session,
    role: event.agentId === undefined ? 'main' : 'subagent',
    skills,
    // Skills named by the caller are used as they are; otherwise a lost or missing session is unknown.
    scopeKnown: skillsOfCall.length > 0 || (state !== undefined && !state.damaged && event.session !== ''),
    ...(agentType === undefined ? {} : { agentType }),
    ...(event.agentId === undefined
      ? {}
      : { agentId: event.agentId, parent: known?.parent ?? UNKNOWN_PARENT }),
  }
}

/** What the event changes for its actors, given its decision. */
export function actorChanges(
  event: Event,
  effect: Effect,
  state: SessionState | undefined,
): readonly StateChange[] {
  const denied = effect === 'deny'
  switch (event.kind) {
    case 'PreToolUse':
      return denied ? [] : mayStart(event.tool)
    case 'PostToolUse':
      return [...skillEnd(event.tool, isFork(event.output)), ...childOf(event)]
    case 'PostToolUseFailure':
      return skillEnd(event.tool, true)
    case 'Stop':
      return unforked(event, state)
    case 'UserPromptExpansion':
      return event.expansion === 'slash_command' && event.command !== '' && !denied
        ? [{ kind: 'skill', name: bareSkill(event.command), active: true }, fork(bareSkill(event.command))]
        : []
    case 'SubagentStart':
      return event.agentId === undefined ? [] : subagentStart(event, state)
    case 'SubagentStop':
      // Compaction ends with a SubagentStop without an agent. An agent whose stop was blocked has not finished.
      return denied || event.agentId === undefined || event.agentType === undefined ? [] : [{ kind: 'end' }]
    case 'SessionStart':
      return event.source === 'clear' ? [{ kind: 'clear' }] : []
    default:
      return []
  }
}

/** `plugin:skill` and `/skill` name the same skill. */
export function bareSkill(name: string): string {
  const bare = name.startsWith('/') ? name.slice(1) : name
  return bare.slice(bare.lastIndexOf(':') + 1)
}

type Tool = Pick<ToolCall, 'name' | 'input' | 'loadsSkill'>

/** It is not known beforehand whether a skill runs in a fork. A sub-agent that no Agent call explains is one. */
function mayStart(tool: Tool): readonly StateChange[] {
  if (tool.name === 'Agent') return [{ kind: 'spawn', type: spawnedType(tool.input) }]
  const skill = skillOf(tool)
  return skill === undefined ? [] : [fork(skill)]
}

function fork(skill: string): StateChange {
  return { kind: 'spawn', type: '', skill }
}

/** A skill call is over. Unless it ran in a fork or failed, the skill is active from now on. */
function skillEnd(tool: Tool, isElsewhere: boolean): readonly StateChange[] {
  if (tool.loadsSkill !== undefined) return [{ kind: 'skill', name: tool.loadsSkill, active: true }]
  const skill = skillOf(tool)
  if (skill === undefined) return []
  const over: StateChange = { kind: 'spawned', type: '', skill }
  return isElsewhere ? [over] : [over, { kind: 'skill', name: skill, active: true }]
}

function isFork(output: unknown): boolean {
  return isObject(output) && output.status === 'forked'
}

/** A typed command has no end event. When its actor stops, no fork of it can follow. */
function unforked(event: Event, state: SessionState | undefined): readonly StateChange[] {
  const by = actorKey(event.agentId)
  const left = (state?.spawns ?? []).filter((spawn) => spawn.by === by && spawn.skill !== undefined)
  return left.map(({ skill = '' }) => ({ kind: 'spawned', type: '', skill }))
}

function skillOf(tool: Tool): string | undefined {
  const skill = tool.name === 'Skill' ? tool.input.skill : undefined
  return typeof skill === 'string' && skill !== '' ? bareSkill(skill) : undefined
}

/** A finished Agent call names its child. This is the most reliable source for the parent of an agent. */
function childOf(event: Extract<Event, { kind: 'PostToolUse' }>): readonly StateChange[] {
  if (event.tool.name !== 'Agent' || !isObject(event.output)) return []
  const id = textAt(event.output, 'agentId')
  const type = textAt(event.output, 'agentType')
  if (id === undefined) return []
  return [
    { kind: 'parent', of: id, parent: actorKey(event.agentId), ...(type === undefined ? {} : { type }) },
  ]
}

function subagentStart(
  event: Extract<Event, { kind: 'SubagentStart' }>,
  state: SessionState | undefined,
): readonly StateChange[] {
  const type = event.agentType ?? ''
  const parent = parentOf(type, state)
  const skill = usedSpawn(state?.spawns ?? [], type)?.skill
  return [
    { kind: 'agent', ...(type === '' ? {} : { type }), ...(parent === undefined ? {} : { parent }) },
    { kind: 'spawned', type },
    ...(skill === undefined ? [] : [{ kind: 'skill', name: skill, active: true } as const]),
  ]
}

/** Calls of several actors may be waiting for the same type. Then the parent stays unknown. */
function parentOf(type: string, state: SessionState | undefined): string | undefined {
  const spawns = (state?.spawns ?? []).filter((spawn) => spawn.type === type || spawn.type === '')
  const calls = spawns.filter((spawn) => spawn.skill === undefined)
  const waiting = new Set((calls.length > 0 ? calls : spawns).map((spawn) => spawn.by))
  const [only] = waiting
  return waiting.size === 1 ? only : undefined
}

/** Empty if the call names no type: the host has its own default. */
function spawnedType(input: { readonly [key: string]: unknown }): string {
  return typeof input.subagent_type === 'string' ? input.subagent_type : ''
}

/** The actor key of the recipient of a text for `to`. */
export function addressee(
  to: 'self' | 'parent' | 'main',
  actor: Actor,
  known: ActorState | undefined,
): string {
  if (to === 'self') return actorKey(actor.agentId)
  if (to === 'main') return MAIN
  const parent = known?.parent ?? actor.parent
  return parent === undefined || parent === UNKNOWN_PARENT ? MAIN : parent
}
