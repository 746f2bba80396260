import type { Answer } from '../../../core/decision.ts'
import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { Guard } from '../../../core/guard.ts'
import { agentStart, startPatch } from '../../completion/start.ts'
import { COORDINATOR, EGO, type PadOptions, readPadOptions } from './options.ts'
import { firstLines, newestEntry } from './pads.ts'

/** Tells a new session where the last one ended. It stops nothing. */
export const sessionStart: Guard = {
  id: 'scratchpad/session-start',
  title: 'Session that does not know where the last one ended',
  why: 'The coordinator should continue from its notes instead of starting without information.',
  instead: 'read the newest entry of the coordinator in the scratchpad folder.',
  on: ['SessionStart'],
  match: '',
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'pass',
  timeoutMs: 10_000,
  examples: {
    stops: [],
    passes: [
      { kind: 'SessionStart', fields: { source: 'startup' } },
      { kind: 'SessionStart', fields: { source: 'resume' } },
      { kind: 'SessionStart', fields: { source: 'compact' } },
      { kind: 'SessionStart', fields: { source: 'startup' }, files: pad('coordinator', 'All is well.') },
      { kind: 'SessionStart', fields: { source: 'startup' }, files: pad('ego', 'Too fast.') },
    ],
  },
  async check({ event, facts, options, memory }) {
    if (event.kind !== 'SessionStart') return null
    const pads = readPadOptions(options)
    const text = isTold(event, pads) ? await orientation(pads, facts) : ''
    const isStart = event.source !== 'compact' || agentStart(memory) === undefined
    const answer: Answer = {
      effect: 'pass',
      ...(text === '' ? {} : { context: [{ text, to: 'self' }] }),
      ...(memory !== undefined && isStart ? { remember: [startPatch(facts)] } : {}),
    }
    return Object.keys(answer).length === 1 ? null : answer
  },
}

/** If the event does not say how the session started, it is a new session. */
function isTold(event: Extract<Event, { kind: 'SessionStart' }>, { sources }: PadOptions): boolean {
  return sources.includes(event.source === '' ? 'startup' : event.source)
}

async function orientation({ folder, limits }: PadOptions, facts: Facts): Promise<string> {
  const [coordinator, ego, commits] = await Promise.all([
    newestEntry(`${folder}/${COORDINATOR}`, facts),
    newestEntry(`${folder}/${EGO}`, facts),
    limits.commits === 0 ? [] : facts.recentCommits(limits.commits),
  ])
  const parts = [
    ...(coordinator === undefined
      ? []
      : [
          `## Latest coordinator scratchpad (${coordinator.path})\n\n${firstLines(coordinator, limits.coordinator)}`,
        ]),
    ...(ego === undefined
      ? []
      : [`## Latest ego assessment (${ego.path})\n\n${firstLines(ego, limits.ego)}`]),
    ...(commits.length === 0 ? [] : [`## Recent commits\n\n${commits.join('\n')}`]),
  ]
  return within(parts, limits.characters)
}

/** Every part gets its share of the space, so that one long line does not displace the others. */
function within(parts: readonly string[], charactersMax: number): string {
  const whole = parts.join('\n\n')
  if (whole.length <= charactersMax) return whole
  const share = Math.floor(charactersMax / parts.length) - CUT.length - 2
  return parts
    .map((part) => (part.length > share ? `${part.slice(0, Math.max(0, share))}${CUT}` : part))
    .join('\n\n')
}

const CUT = '\n(shortened because it is too long)'

function pad(agent: string, text: string): Readonly<Record<string, string>> {
  return { [`/srv/project/.claude/scratchpad/${agent}/2026-01-14.md`]: text }
}
