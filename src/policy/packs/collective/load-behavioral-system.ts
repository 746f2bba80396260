import type { Answer, Note } from '../../../core/decision.ts'
import type { Facts } from '../../../core/facts.ts'
import type { Guard } from '../../../core/guard.ts'
import { inspectFile, projectPath } from '../../completion/inspect-file.ts'
import { logNote } from './log.ts'
import { type CollectiveOptions, readCollectiveOptions } from './options.ts'
import { consumedPatch, RECOVERY_FILE, readRecovery, recoveryText } from './recovery.ts'

/** Gives every session the rules of the collective, and the state that a compaction would lose. */
export const loadBehavioralSystem: Guard = {
  id: 'collective/load-behavioral-system',
  title: 'Session without the rules of the collective',
  why: 'Agents follow only the rules they have read, and a compaction removes them from the context.',
  instead: 'read .claude-collective/INDEX.md and .claude-collective/DECISION.md.',
  on: ['SessionStart'],
  match: '',
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'collective',
  timeoutMs: 10_000,
  examples: {
    stops: [],
    passes: ['startup', 'resume', 'clear', 'compact'].map((source) => ({
      kind: 'SessionStart' as const,
      fields: { source },
      files: { '/srv/project/.claude-collective/INDEX.md': 'Rules.' },
    })),
  },
  async check({ event, facts, options, memory }) {
    if (event.kind !== 'SessionStart') return null
    const settings = readCollectiveOptions(options)
    const recovered = await readRecovery(facts)
    const state = recovered !== 'nothing' && 'state' in recovered ? recovered.state : undefined
    const problem = recovered !== 'nothing' && 'problem' in recovered ? [recovered.problem] : []
    const saved = state === undefined ? [] : [recoveryText(state)]
    const { parts, missing } = await documents(facts)
    const text = within([...saved, ...parts], settings.characters)
    const notices = [...problem, ...missing]
    // The file is deleted only after its content was delivered. Otherwise it stays for the next session start.
    const away: readonly Note[] = state === undefined ? [] : [{ kind: 'delete', path: RECOVERY_FILE }]
    const answer: Answer = {
      effect: 'pass',
      ...(text === '' ? {} : { context: [{ text, to: 'self' }] }),
      ...(notices.length === 0 ? {} : { notices }),
      notes: [...away, ...logOf(parts.length, state !== undefined, notices, facts, settings)],
      ...(state === undefined || memory === undefined ? {} : { remember: [consumedPatch(state, facts)] }),
    }
    return answer
  },
}

const FOLDER = '.claude-collective'
const DOCUMENTS = ['INDEX.md', 'DECISION.md']

async function documents(
  facts: Facts,
): Promise<{ readonly parts: readonly string[]; readonly missing: readonly string[] }> {
  const parts: string[] = []
  const missing: string[] = []
  for (const name of DOCUMENTS) {
    const path = `${FOLDER}/${name}`
    const isFile = (await inspectFile(path, facts)).kind === 'file'
    const text = isFile ? await facts.readText(projectPath(path, facts)) : undefined
    if (text === undefined || text.includes('\0')) missing.push(path)
    else if (text.trim() !== '') parts.push(`## ${path}\n\n${text.trim()}`)
  }
  const notice = `Not loaded: ${missing.join(' and ')}. The file does not exist or is not readable text.`
  return { parts, missing: missing.length === 0 ? [] : [notice] }
}

/** Every part gets its share of the space, so that one long document does not displace the others. */
function within(parts: readonly string[], charactersMax: number): string {
  const whole = parts.join('\n\n')
  if (whole.length <= charactersMax) return whole
  const short = parts.filter((part) => part.length <= charactersMax / parts.length)
  const left = charactersMax - short.reduce((sum, part) => sum + part.length + 2, 0)
  const share = Math.max(0, Math.floor(left / (parts.length - short.length)) - CUT.length - 2)
  return parts.map((part) => (short.includes(part) ? part : `${part.slice(0, share)}${CUT}`)).join('\n\n')
}

const CUT = '\n(shortened because it is too long; read the file)'

function logOf(
  loaded: number,
  isRecovered: boolean,
  notices: readonly string[],
  facts: Facts,
  options: CollectiveOptions,
): readonly Note[] {
  const what = `loaded ${loaded} of ${DOCUMENTS.length} documents${isRecovered ? ', recovered the saved state' : ''}`
  return [what, ...notices].map((line) => logNote('load-behavioral-system', line, facts, options))
}
