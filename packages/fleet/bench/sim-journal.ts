import { chainHash, GENESIS, sealed } from '../../../src/storage/journal/chain.ts'
import type { ChainPart, ChainRow, JournalRecord } from '../../../src/storage/journal/store.ts'

/**
 * The journal of a simulated machine: the same chain as on a real one, but only the end of it is kept, because ten thousand
 * of them are in one memory.
 */
export interface SimJournal {
  add(record: JournalRecord): void
  chain(after: number, limit: number): ChainPart
  /** Forgets what the collector has confirmed. */
  forget(upTo: number): void
  readonly end: { readonly seq: number; readonly hash: string }
}

/** Enough to compare with a collector that lost its last commit. */
const KEPT = 200

export function createSimJournal(): SimJournal {
  let start = { seq: 0, hash: GENESIS }
  let end = start
  let rows: ChainRow[] = []
  return {
    add(record) {
      const text = JSON.stringify(record)
      const seal = sealed(text)
      const row = { seq: end.seq + 1, hash: chainHash(end.hash, seal.digest), text, ...seal }
      rows.push(row)
      end = { seq: row.seq, hash: row.hash }
    },
    chain(after, limit) {
      const index = Math.min(Math.max(0, after - start.seq), rows.length)
      const previous = rows[index - 1] ?? start
      return { previous: { seq: previous.seq, hash: previous.hash }, rows: rows.slice(index, index + limit) }
    },
    forget(upTo) {
      const count = Math.max(0, Math.min(rows.length, upTo - start.seq - KEPT))
      if (count < KEPT) return
      const last = rows[count - 1]
      if (last !== undefined) start = { seq: last.seq, hash: last.hash }
      rows = rows.slice(count)
    },
    get end() {
      return end
    },
  }
}

const TOOLS = ['Bash', 'Bash', 'Bash', 'Read', 'Read', 'Edit', 'Write', 'Grep', 'Task', 'WebFetch'] as const
const COMMANDS = [
  'git status',
  'npm test -- --run src',
  'ls -la packages',
  'rg -n "TODO" src',
  'git push origin main',
  'cargo check',
  'cat package.json',
  'python -m pytest -q',
] as const
const GUARDS = [
  'safety/git/force-push',
  'safety/files/delete-root',
  'secrets/read-credentials',
  'production/deploy',
] as const
const PROJECTS = Array.from({ length: 40 }, (_, n) => `/home/dev/project-${n}`)

/** Sessions as agents have them: calls with a record before and one after, a few stops, sub-agents. */
export function createSessions(machine: number, chance: () => number): (now: Date) => JournalRecord {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
  let session = ''
  let left = 0
  let counter = 0
  let open: { readonly tool: string; readonly input: string; readonly call: string } | undefined
  const project = PROJECTS[machine % PROJECTS.length] ?? ''
  return (now) => {
    counter += 1
    const base = {
      id: `${now.getTime().toString(36)}-${machine.toString(36)}-${counter.toString(36)}`,
      at: now.toISOString(),
      host: machine % 3 === 0 ? 'codex' : 'claude-code',
      cwd: project,
      project,
      durationMs: Math.round(chance() * 4000) / 1000,
      revision: 'f'.repeat(16),
    }
    if (left === 0) {
      left = 20 + Math.floor(chance() * 200)
      session = `${machine.toString(36)}-${now.getTime().toString(36)}`
      open = undefined
      return { ...base, session, event: 'SessionStart', effect: 'pass', because: [] }
    }
    left -= 1
    const agent = chance() < 0.2 ? { agent: `a${left % 3}`, agentType: 'reviewer' } : {}
    if (open !== undefined) {
      const { call, ...about } = open
      open = undefined
      return {
        ...base,
        ...agent,
        ...about,
        session,
        event: 'PostToolUse',
        effect: 'pass',
        because: [],
        extra: { call, toolMs: Math.floor(chance() * 3000) },
      }
    }
    const tool = pick(TOOLS)
    const input =
      tool === 'Bash'
        ? pick(COMMANDS)
        : JSON.stringify({ file_path: `${project}/src/file-${Math.floor(chance() * 300)}.ts` })
    const call = `toolu_${counter.toString(36)}`
    const roll = chance()
    const effect = roll < 0.02 ? 'deny' : roll < 0.04 ? 'ask' : 'pass'
    if (effect !== 'deny') open = { tool, input, call }
    const stopped =
      effect === 'pass'
        ? { because: [] }
        : {
            because: [pick(GUARDS)],
            reason:
              'This changes the history of a shared branch. Use a new branch instead, and ask the user.',
          }
    return {
      ...base,
      ...agent,
      session,
      event: 'PreToolUse',
      tool,
      input,
      effect,
      ...stopped,
      extra: { call },
    }
  }
}

/** The same numbers for the same seed, so that a run can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
