import type { LiveMessage } from '../api.ts'

/** Everything the pages ask the server: requests with the token, and the live stream. */

const KEPT = 'holdpoint-board'

/** The token of this start. Shared by the tabs of this origin, so that a link can be opened in another tab. */
let token = localStorage.getItem(KEPT) ?? ''

/** A request that did not work, in words for the person. */
export interface Refusal {
  readonly status: number
  readonly message: string
}

export type ServerReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal }

function codeInAddress(): string | undefined {
  return /^#open=([\w-]+)$/.exec(location.hash)?.[1]
}

// A new link in a tab that shows the board already changes its address only.
addEventListener('hashchange', () => {
  if (codeInAddress() !== undefined) location.reload()
})

/** Exchanges the code of the link for the token, once. The code disappears from the address. */
export async function openWithLink(): Promise<Refusal | undefined> {
  const code = codeInAddress()
  if (code === undefined) return undefined
  history.replaceState(null, '', location.pathname)
  const opened = await postJson<{ token: string }>('/api/open', { code })
  if (!opened.ok) return opened.refusal
  token = opened.value.token
  localStorage.setItem(KEPT, token)
  return undefined
}

export function getJson<T>(
  path: string,
  query: Readonly<Record<string, Value>> = {},
): Promise<ServerReply<T>> {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== '') search.append(name, String(each))
    }
  }
  const text = search.toString()
  return request(text === '' ? path : `${path}?${text}`, { method: 'GET' })
}

type Value = string | number | undefined | readonly string[]

export function postJson<T>(path: string, body: object): Promise<ServerReply<T>> {
  const headers = { 'content-type': 'application/json' }
  return request(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function request<T>(path: string, init: RequestInit): Promise<ServerReply<T>> {
  try {
    const response = await fetch(path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    })
    const value: unknown = await response.json()
    if (response.ok) return { ok: true, value: value as T }
    const message = messageIn(value) ?? `The board answered with status ${response.status}.`
    return { ok: false, refusal: { status: response.status, message } }
  } catch {
    return { ok: false, refusal: GONE }
  }
}

const GONE: Refusal = {
  status: 0,
  message: 'The board does not answer. If you ended it, run `holdpoint ui` again.',
}

function messageIn(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'message' in value ? String(value.message) : undefined
}

const RETRY_MIN_MS = 500
const RETRY_MAX_MS = 5_000
/** The server sends a sign of life every five seconds. */
const SILENCE_MAX_MS = 15_000

export interface LiveListener {
  onMessage(message: LiveMessage): void
  /** The connection is open, or it is not and why. */
  onState(refusal: Refusal | undefined): void
}

/** Follows the live stream, and connects again for as long as the page is open. */
export async function followStream(listener: LiveListener): Promise<never> {
  for (let waitMs = RETRY_MIN_MS; ; waitMs = Math.min(RETRY_MAX_MS, waitMs * 2)) {
    const isOpened = await readStream(listener)
    if (isOpened) waitMs = RETRY_MIN_MS
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** True if the stream was open for a while. `EventSource` cannot send the token, so the stream is read here. */
async function readStream({ onMessage, onState }: LiveListener): Promise<boolean> {
  const controller = new AbortController()
  let timer = setTimeout(() => controller.abort(), SILENCE_MAX_MS)
  try {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch('/api/live', { headers, signal: controller.signal })
    if (!response.ok || response.body === null) {
      onState({ status: response.status, message: messageIn(await response.json()) ?? '' })
      return false
    }
    onState(undefined)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(), SILENCE_MAX_MS)
      const parts = (rest + value).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        if (part.startsWith('data: ')) onMessage(JSON.parse(part.slice(6)) as LiveMessage)
      }
    }
    onState(GONE)
    return true
  } catch {
    onState(GONE)
    return false
  } finally {
    clearTimeout(timer)
  }
}
