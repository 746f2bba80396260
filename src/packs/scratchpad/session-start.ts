import { startOf, startPatch } from '../../contracts/start.ts'
import type { Answer } from '../../decision.ts'
import type { Event } from '../../event.ts'
import type { Facts } from '../../facts.ts'
import type { Guard } from '../guard.ts'
import { COORDINATOR, EGO, type PadOptions, readPadOptions } from './options.ts'
import { headOf, newestEntry } from './pads.ts'

/** A session that begins anew is told where the last one ended. It stops nothing. */
export const sessionStart: Guard = {
  id: 'scratchpad/session-start',
  title: 'A session that begins without knowing where the last one ended',
  why: 'The coordinator starts with what was written down, not with nothing.',
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
    const isStart = event.source !== 'compact' || startOf(memory) === undefined
    const answer: Answer = {
      effect: 'pass',
      ...(text === '' ? {} : { context: [{ text, to: 'self' }] }),
      ...(memory !== undefined && isStart ? { remember: [startPatch(facts)] } : {}),
    }
    return Object.keys(answer).length === 1 ? null : answer
  },
}

/** Who does not say how it began, began anew. */
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
          `## Latest coordinator scratchpad (${coordinator.path})\n\n${headOf(coordinator, limits.coordinator)}`,
        ]),
    ...(ego === undefined ? [] : [`## Latest ego assessment (${ego.path})\n\n${headOf(ego, limits.ego)}`]),
    ...(commits.length === 0 ? [] : [`## Recent commits\n\n${commits.join('\n')}`]),
  ]
  return within(parts, limits.characters)
}

/** Every part gets its share, so that one long line does not push the others out. */
function within(parts: readonly string[], charactersMax: number): string {
  const whole = parts.join('\n\n')
  if (whole.length <= charactersMax) return whole
  const share = Math.floor(charactersMax / parts.length) - CUT.length - 2
  return parts
    .map((part) => (part.length > share ? `${part.slice(0, Math.max(0, share))}${CUT}` : part))
    .join('\n\n')
}

const CUT = '\n(cut: too long)'

function pad(agent: string, text: string): Readonly<Record<string, string>> {
  return { [`/srv/project/.claude/scratchpad/${agent}/2026-01-14.md`]: text }
}
