/** Times, lengths and paths, as people read them. Local time, unless it says otherwise. */

const DAY_MS = 86_400_000

export function clock(iso: string): string {
  return new Date(iso).toLocaleTimeString(undefined, { hour12: false })
}

/** Short for today, longer for every other day. */
export function shownTime(iso: string, nowMs: number): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const isToday = new Date(nowMs).toDateString() === at.toDateString()
  if (isToday) return clock(iso)
  const day = at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
  const year = nowMs - at.getTime() > 300 * DAY_MS ? ` ${at.getFullYear()}` : ''
  return `${day}${year} ${clock(iso).slice(0, 5)}`
}

export function length(ms: number): string {
  if (ms < 1) return '<1 ms'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
  if (ms < DAY_MS) return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`
  return counted(Math.round(ms / DAY_MS), 'day')
}

export function ago(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso)
  if (ms < 5_000) return 'just now'
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s ago`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`
  if (ms < DAY_MS) return `${Math.floor(ms / 3_600_000)} h ago`
  return `${counted(Math.floor(ms / DAY_MS), 'day')} ago`
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** The last part of a path: enough to recognise a project. */
export function folderName(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? path
}
