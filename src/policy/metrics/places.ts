/** Where metrics are stored, relative to the project, and for how long. */
const METRICS_FOLDER = '.claude-collective/metrics'

export const KINDS = ['sessions', 'snapshots', 'aggregations', 'reports'] as const
export type Kind = (typeof KINDS)[number]

export const RETENTION_DAYS: Readonly<Record<Kind, number>> = {
  sessions: 30,
  snapshots: 30,
  aggregations: 90,
  reports: 365,
}

export function folderOf(kind: Kind): string {
  return `${METRICS_FOLDER}/${kind}`
}

/** Files that git ignores are not committed by accident, and do not make the working tree look changed. */
export const IGNORE_FILE = { path: `${METRICS_FOLDER}/.gitignore`, text: '*\n' } as const

export function sessionPath(session: string): string {
  return `${folderOf('sessions')}/${sessionName(session)}.jsonl`
}

/** Two sessions may end in the same millisecond, so the name contains the session. */
export function documentPath(kind: Exclude<Kind, 'sessions'>, atMs: number, session?: string): string {
  const whose = session === undefined ? '' : `-${sessionName(session)}`
  return `${folderOf(kind)}/${kind.slice(0, -1)}-${atMs}${whose}.json`
}

/** What the name of a document means; undefined for a file that is not ours. */
export function readName(
  kind: Kind,
  name: string,
): { readonly atMs: number; readonly session: string } | undefined {
  const [, stem, digits, session = ''] =
    /^(snapshot|aggregation|report)-(\d{1,15})(?:-([\w=-]{1,200}))?\.json$/.exec(name) ?? []
  return digits !== undefined && `${stem}s` === kind ? { atMs: Number(digits), session } : undefined
}

/**
 * Session ids come from outside and may contain any characters. An id that is not a safe file name is written in hex.
 */
export function sessionName(session: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,79}$/.test(session)) return session
  const hex = [...session.slice(0, SPELLED_MAX)].map((sign) =>
    (sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  )
  return `=${hex.join('').slice(0, 160)}`
}

const SPELLED_MAX = 40
