import type { KnownAgent } from '../../core/actor.ts'
import type { Facts } from '../../core/facts.ts'
import { fingerprint } from '../../core/fingerprint.ts'
import { absolute, isSignals, segments } from './paths.ts'
import { plainCommand } from './plain-command.ts'

/** What an orchestrator can learn something from. */
export interface NewsSources {
  /** The command that looks. */
  readonly text: string
  readonly session: string
  readonly facts: Facts
  readonly agents: readonly KnownAgent[]
  /** How many notifications and prompts have come so far. */
  readonly notifications: number
}

/** Limits for folders that turn out to be something other than sessions. */
const SESSIONS_MAX = 50
const SIGNALS_MAX = 500

/**
 * A hash of everything that has been reported so far: signal files, agents that have ended, notifications. If it is
 * the same at two looks, the second look cannot show anything new. It holds no times of its own, so a clock that
 * jumps changes nothing.
 */
export async function reportedSoFar({
  text,
  session,
  facts,
  agents,
  notifications,
}: NewsSources): Promise<string> {
  const folders = await signalFolders(text, session, facts)
  const signals = (await Promise.all(folders.map((folder) => signalsIn(folder, facts)))).flat()
  const ended = agents.filter((agent) => agent.ended).map(({ id }) => id)
  return fingerprint(JSON.stringify([signals, ended.sort(), notifications]))
}

/** Of the sessions that the command names, else of the one that is active here, else of all. */
async function signalFolders(text: string, session: string, facts: Facts): Promise<readonly string[]> {
  const named = namedFolders(text, facts)
  if (named.length > 0) return named
  const active = await activeSession(session, facts)
  if (active !== undefined) return within(active)
  const base = `${facts.project}/${BASE}`
  const all = await facts.list(base)
  return [...all]
    .sort()
    .slice(-SESSIONS_MAX)
    .flatMap((name) => within(`${base}/${name}`))
}

const BASE = 'tmp/mux'

function within(folder: string): readonly string[] {
  return [`${folder}/.signals`, `${folder}/signals`]
}

/** A word with a slash may be the folder of a session, or a file or folder in it. */
function namedFolders(text: string, facts: Facts): readonly string[] {
  const plain = plainCommand(text, facts)
  if (plain.kind !== 'plain') return []
  return plain.words.slice(1, 1 + SESSIONS_MAX).flatMap((word) => {
    const path = word?.includes('/') === true ? absolute(word, facts) : undefined
    if (path === undefined || !path.startsWith(`${facts.project}/`)) return []
    const parts = segments(path)
    const at = parts.findIndex(isSignals)
    return at >= 0 ? [`/${parts.slice(0, at + 1).join('/')}`] : within(path)
  })
}

/** The marker of this session, as `holdpoint mux session` writes it. */
async function activeSession(session: string, facts: Facts): Promise<string | undefined> {
  if (!SESSION_ID.test(session)) return undefined
  const text = await facts.readText(`${facts.project}/outputs/session/${session}/mux-active`, 4096)
  const folder = absolute(text?.trim() ?? '', { ...facts, cwd: facts.project })
  return folder?.startsWith(`${facts.project}/`) === true ? folder : undefined
}

/** Such an id can be the name of a folder. */
export const SESSION_ID = /^(?!\.)[\w.-]{1,128}$/

/** Only whole files with the names of signals: an orchestrator may create folders itself. */
async function signalsIn(folder: string, facts: Facts): Promise<readonly string[]> {
  const names = (await facts.list(folder)).filter((name) => /\.(?:done|fail)$/.test(name)).sort()
  const found = await Promise.all(
    names.slice(0, SIGNALS_MAX).map(async (name) => {
      const info = await facts.stat(`${folder}/${name}`)
      return info?.kind === 'file' ? [`${folder}/${name} ${info.sizeBytes} ${info.modifiedMs}`] : []
    }),
  )
  return found.flat()
}
