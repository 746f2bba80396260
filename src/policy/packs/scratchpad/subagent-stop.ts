import type { Guard } from '../../../core/guard.ts'
import { checkContract } from '../../completion/check.ts'
import { numberWord } from '../../completion/instructions.ts'
import { type Names, pathsFrom, placeholdersOf } from '../../completion/names.ts'
import { agentStart } from '../../completion/start.ts'
import { answerStop } from '../../completion/stop-answer.ts'
import { type PadOptions, readPadOptions } from './options.ts'
import { agentContract, unusableName } from './pads.ts'

/** A sub-agent may finish once its entry of the day exists, with every section. */
export const subagentStop: Guard = {
  id: 'scratchpad/subagent-stop',
  title: 'Finishing without a scratchpad entry',
  why: 'Other agents cannot use what this agent learned unless it writes it down.',
  instead: 'write the entry with all its sections, then finish.',
  on: ['SubagentStop'],
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  onFailure: 'pass',
  timeoutMs: 10_000,
  examples: {
    stops: [
      stop('spec-writer'),
      stop('plugin:writer'),
      stop('team/writer', { 'writer/2026-01-15.md': WHOLE() }),
      stop('spec-writer', { 'spec-writer/2026-01-14.md': WHOLE() }),
      stop('spec-writer', { 'spec-writer/2026-01-15.md': '' }),
      stop('spec-writer', { 'spec-writer/2026-01-15.md': 'one\ntwo\nthree\nfour\nfive\nsix\n' }),
      stop('spec-writer', { 'spec-writer/2026-01-15.md': WHOLE().replace('## Unresolved', 'Unresolved') }),
      stop('spec-writer', { 'spec-writer/2026-01-15.md': `\`\`\`\n${WHOLE()}\n\`\`\`\n` }),
      stop('spec-writer', { 'spec-writer/2026-01-15.md/notes.md': WHOLE() }),
      stop('spec-writer', { 'other/2026-01-15.md': WHOLE() }),
    ],
    passes: [
      stop('spec-writer', { 'spec-writer/2026-01-15.md': WHOLE() }),
      stop('plugin:writer', { 'plugin-writer/2026-01-15.md': WHOLE() }),
      stop('team/writer', { 'team-writer/2026-01-15.md': WHOLE() }),
      stop('spec-writer', { 'spec-writer/2026-01-15.md': WHOLE().toUpperCase() }),
      stop('spec-writer', { 'spec-writer/2026-01-15.md': WHOLE().replace(/^## (.*)$/gm, '**$1:**') }),
      stop('spec-writer', { 'spec-writer/2026-01-15.md': WHOLE().replaceAll('## ', '#### ') }),
      stop('a name with blanks'),
      stop('Explore', {}, { except: ['Explore', 'Plan'] }),
      { kind: 'SubagentStop', fields: { agentId: 'a1', stopHookActive: false } },
      stop('spec-writer', { 'spec-writer/2026-01-15.md': 'Summary\n=======\n' }, { headings: ['Summary'] }),
    ],
  },
  async check({ event, actor, facts, options, memory }) {
    // A compaction ends like a sub-agent, but has no agent type.
    if (event.kind !== 'SubagentStop' || actor.agentType === undefined) return null
    const pads = readPadOptions(options)
    if (pads.except.includes(actor.agentType)) return null
    const start = agentStart(memory)
    const names = placeholdersOf(event, actor, facts, start?.date)
    if (names.agentType === undefined) return { effect: 'pass', notices: [unusableName(actor.agentType)] }
    const contract = agentContract(pads)
    const verdict = await checkContract(contract, {
      event,
      facts,
      names,
      start,
      ran: new Map(),
      matches: () => false,
    })
    return answerStop(verdict, {
      key: 'scratchpad/subagent-stop',
      name: 'Scratchpad',
      blocks: contract.blocks,
      event,
      memory,
      reason: reasonFor(pads, contract.files[0]?.path ?? '', names),
      letGo: (missing) => [
        {
          text: `The agent ${actor.agentType} ended without its scratchpad entry. ${missing.join(' ')} Write what you know of its work into your own entry.`,
          to: 'main',
        },
      ],
    })
  },
}

function reasonFor({ headings }: PadOptions, template: string, names: Names): string {
  const [path = ''] = pathsFrom(template, names) ?? []
  return `Scratchpad missing or incomplete. Write to ${path} with ${sections(headings.length)} before completing.`
}

function sections(count: number): string {
  if (count < 2) return count === 0 ? 'your notes' : 'the required section'
  return count === 2 ? 'both required sections' : `all ${numberWord(count)} required sections`
}

function stop(agentType: string, files: Readonly<Record<string, string>> = {}, options = {}) {
  const below = Object.entries(files).map(([path, text]) => [`/srv/project/.claude/scratchpad/${path}`, text])
  return {
    kind: 'SubagentStop' as const,
    fields: { agentId: 'a1', agentType, stopHookActive: false },
    files: Object.fromEntries(below) as Readonly<Record<string, string>>,
    options,
  }
}

function WHOLE(): string {
  return '## What I did\nWrote it.\n## Cross-agent observations\nNone.\n## Unresolved\nNothing.\n'
}
