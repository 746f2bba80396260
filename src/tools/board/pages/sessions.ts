import type { SessionRow, Store } from '../../../storage/journal/store.ts'
import type { SessionPage, SessionSummary } from '../api.ts'

const TITLE_MAX = 160

export function listSessions(
  store: Store,
  { limit, before }: { readonly limit: number; readonly before?: number },
): SessionPage {
  const rows = store.sessions({ limit, ...(before === undefined ? {} : { before }) })
  const last = rows.at(-1)
  return {
    rows: rows.map((row) => sessionSummary(row, store)),
    ...(last === undefined || rows.length < limit ? {} : { next: last.last.seq }),
  }
}

export function sessionSummary(row: SessionRow, store: Store): SessionSummary {
  const { record, seq } = row.last
  const title = titleOf(row.session, store)
  return {
    session: row.session,
    host: record.host,
    project: record.project,
    from: row.from,
    to: record.at,
    records: row.records,
    effects: row.effects,
    agents: row.agents,
    isCut: row.isCut,
    ...(title === undefined ? {} : { title }),
    seq,
  }
}

/** What the person asked for first says best what a session is about. */
function titleOf(session: string, store: Store): string | undefined {
  for (const { record } of store.read({ session, event: 'UserPromptSubmit' })) {
    const text = record.input?.replaceAll(/\s+/g, ' ').trim()
    if (text !== undefined && text !== '')
      return text.length > TITLE_MAX ? `${text.slice(0, TITLE_MAX)}…` : text
  }
  return undefined
}
