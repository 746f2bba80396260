import { type Actor, actorKey, MAIN, UNKNOWN_PARENT } from '../actor.ts'
import type { Effect } from '../decision.ts'
import type { Event } from '../event.ts'
import { isObject, textAt } from '../json.ts'
import { usedSpawn } from './fold.ts'
import type { ActorState, Change, SessionState } from './state.ts'

/**
 * Who an event speaks for, and what the event itself changes about actors: skills begin and end, sub-agents start
 * and finish, conversations are cleared. Pure; the same rules on every host.
 */
export function actorOf(
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
    // Skills named by the caller are an answer of their own; otherwise a lost or missing session is unknown.
    scopeKnown: skillsOfCall.length > 0 || (state !== undefined && !state.damaged && event.session !== ''),
    ...(agentType === undefined ? {} : { agentType }),
    ...(event.agentId === undefined
      ? {}
      : { agentId: event.agentId, parent: known?.parent ?? UNKNOWN_PARENT }),
  }
}

/** What the event did to its actors, given how it was decided. */
export function actorChanges(
  event: Event,
  effect: Effect,
  state: SessionState | undefined,
): readonly Change[] {
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
        ? [{ do: 'skill', name: bareSkill(event.command), active: true }, fork(bareSkill(event.command))]
        : []
    case 'SubagentStart':
      return event.agentId === undefined ? [] : subagentStart(event, state)
    case 'SubagentStop':
      // Compaction ends with a SubagentStop of no agent; a held agent has not finished.
      return denied || event.agentId === undefined || event.agentType === undefined ? [] : [{ do: 'end' }]
    case 'SessionStart':
      return event.source === 'clear' ? [{ do: 'clear' }] : []
    default:
      return []
  }
}

/** `plugin:skill` and `/skill` name the same skill. */
export function bareSkill(name: string): string {
  const bare = name.startsWith('/') ? name.slice(1) : name
  return bare.slice(bare.lastIndexOf(':') + 1)
}

interface Tool {
  readonly name: string
  readonly input: { readonly [key: string]: unknown }
}

/** Nothing says beforehand whether a skill runs in a fork. A sub-agent that no Agent call accounts for is one. */
function mayStart(tool: Tool): readonly Change[] {
  if (tool.name === 'Agent') return [{ do: 'spawn', type: spawnedType(tool.input) }]
  const skill = skillOf(tool)
  return skill === undefined ? [] : [fork(skill)]
}

function fork(skill: string): Change {
  return { do: 'spawn', type: '', skill }
}

/** The call of a skill is over. Unless it ran elsewhere, or not at all, the skill is active from here on. */
function skillEnd(tool: Tool, isElsewhere: boolean): readonly Change[] {
  const skill = skillOf(tool)
  if (skill === undefined) return []
  const over: Change = { do: 'spawned', type: '', skill }
  return isElsewhere ? [over] : [over, { do: 'skill', name: skill, active: true }]
}

function isFork(output: unknown): boolean {
  return isObject(output) && output.status === 'forked'
}

/** A typed command has no end of its own; when its actor stops, no fork of it is to come. */
function unforked(event: Event, state: SessionState | undefined): readonly Change[] {
  const by = actorKey(event.agentId)
  const left = (state?.spawns ?? []).filter((spawn) => spawn.by === by && spawn.skill !== undefined)
  return left.map(({ skill = '' }) => ({ do: 'spawned', type: '', skill }))
}

function skillOf(tool: Tool): string | undefined {
  const skill = tool.name === 'Skill' ? tool.input.skill : undefined
  return typeof skill === 'string' && skill !== '' ? bareSkill(skill) : undefined
}

/** A finished Agent call names its child: the surest word on who started whom. */
function childOf(event: Extract<Event, { kind: 'PostToolUse' }>): readonly Change[] {
  if (event.tool.name !== 'Agent' || !isObject(event.output)) return []
  const id = textAt(event.output, 'agentId')
  const type = textAt(event.output, 'agentType')
  if (id === undefined) return []
  return [{ do: 'parent', of: id, parent: actorKey(event.agentId), ...(type === undefined ? {} : { type }) }]
}

function subagentStart(
  event: Extract<Event, { kind: 'SubagentStart' }>,
  state: SessionState | undefined,
): readonly Change[] {
  const type = event.agentType ?? ''
  const parent = parentOf(type, state)
  const skill = usedSpawn(state?.spawns ?? [], type)?.skill
  return [
    { do: 'agent', ...(type === '' ? {} : { type }), ...(parent === undefined ? {} : { parent }) },
    { do: 'spawned', type },
    ...(skill === undefined ? [] : [{ do: 'skill', name: skill, active: true } as const]),
  ]
}

/** Calls of several actors may be waiting for the same type: then nobody can tell, and the parent stays unknown. */
function parentOf(type: string, state: SessionState | undefined): string | undefined {
  const spawns = (state?.spawns ?? []).filter((spawn) => spawn.type === type || spawn.type === '')
  const calls = spawns.filter((spawn) => spawn.skill === undefined)
  const waiting = new Set((calls.length > 0 ? calls : spawns).map((spawn) => spawn.by))
  const [only] = waiting
  return waiting.size === 1 ? only : undefined
}

/** Empty where the call names no type: the host has a default of its own. */
function spawnedType(input: { readonly [key: string]: unknown }): string {
  return typeof input.subagent_type === 'string' ? input.subagent_type : ''
}

/** Where a text for `to` has to go, as an actor key. */
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
