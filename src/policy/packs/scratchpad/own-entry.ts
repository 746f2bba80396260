import { toolOf } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { EventExample, Guard, GuardInput } from '../../../core/guard.ts'
import { textAt } from '../../../core/json.ts'
import { resolvePath } from '../../../shell/words/paths.ts'
import { projectPath } from '../../completion/inspect-file.ts'
import { pathsFrom, placeholdersOf } from '../../completion/names.ts'
import { agentStart } from '../../completion/start.ts'
import { delegatedSince } from './delegation.ts'
import { COORDINATOR, readPadOptions } from './options.ts'
import { agentContract } from './pads.ts'

/**
 * Claude Code asks before its tools write below `.claude`, and refuses when nobody is there to answer. An agent that
 * must write its entry before it may end needs a yes for exactly this file. It stops nothing.
 */
export const ownEntry: Guard = {
  id: 'scratchpad/own-entry',
  title: 'Permission to write the entry that is required',
  why: 'An agent that may not end without its entry must be able to write it, also when no person is there to ask.',
  instead: 'write your entry to the path that you were given.',
  on: ['PermissionRequest'],
  match: 'Write|Edit|MultiEdit',
  knowsAgents: true,
  grants: true,
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'pass',
  timeoutMs: 10_000,
  examples: {
    stops: [],
    passes: [
      asks('.claude/scratchpad/spec-writer/2026-01-15.md'),
      asks('/srv/project/.claude/scratchpad/spec-writer/2026-01-15.md'),
      asks('.claude/scratchpad/other/2026-01-15.md'),
      asks('.claude/scratchpad/spec-writer/2026-01-14.md'),
      asks('.claude/scratchpad/spec-writer/../../settings.json'),
      asks('.claude/settings.json'),
    ],
  },
  check(input) {
    const path = textAt(toolOf(input.event)?.input ?? {}, 'file_path')
    if (path === undefined || !owedPaths(input).some((owed) => isSameFile(path, owed, input.facts)))
      return null
    return { effect: 'allow', reason: 'This is the scratchpad entry that the agent must write.' }
  },
}

/** From the root of the project. Empty: this agent owes no entry. */
function owedPaths({ event, actor, facts, options, memory, agents }: GuardInput): readonly string[] {
  const pads = readPadOptions(options)
  const names = placeholdersOf(event, actor, facts, agentStart(memory)?.date)
  if (event.agentId === undefined) {
    if (!delegatedSince(agents, names.dates, pads)) return []
    return names.dates.map((date) => `${pads.folder}/${COORDINATOR}/${date}.md`)
  }
  if (actor.agentType === undefined || pads.except.includes(actor.agentType)) return []
  return pathsFrom(agentContract(pads).files[0]?.path ?? '', names) ?? []
}

/** A link anywhere on the way would lead the tool to another file. */
function isSameFile(path: string, owed: string, facts: Facts): boolean {
  if (path.includes('\0')) return false
  const asked = resolvePath(path, { cwd: facts.cwd, home: facts.home })
  const wanted = projectPath(owed, facts)
  if (asked !== wanted && asked !== `${facts.realpath(facts.project)}/${owed}`) return false
  return facts.realpath(wanted) === projectPath(owed, { project: facts.realpath(facts.project) })
}

function asks(path: string): EventExample {
  return {
    kind: 'PermissionRequest',
    fields: {
      agentId: 'a1',
      agentType: 'spec-writer',
      suggestions: [],
      tool: { name: 'Write', input: { file_path: path, content: 'x' } },
    },
  }
}
