import { signal } from '@preact/signals'
import { answerText, type PersonAnswer } from '../../../core/formats/approval-text.ts'
import type { PendingCall } from '../api.ts'
import { postJson } from './server-calls.ts'

/**
 * The key that signs answers. It is only in the memory of this page, cannot be read out of it again, and is forgotten
 * when the page is closed, or when nobody has used it for a while.
 */
let key: CryptoKey | undefined
export const isUnlocked = signal(false)

const IDLE_MAX_MS = 10 * 60_000
const LOOK_EVERY_MS = 5_000
let usedMs = Date.now()

for (const kind of ['pointerdown', 'keydown'] as const) {
  addEventListener(kind, () => {
    usedMs = Date.now()
  })
}

setInterval(() => {
  if (key !== undefined && Date.now() - usedMs > IDLE_MAX_MS) lock()
}, LOOK_EVERY_MS)

export function lock(): void {
  key = undefined
  isUnlocked.value = false
}

/** Why it did not work; undefined if it did. */
export async function unlock(pin: string): Promise<string | undefined> {
  const reply = await postJson<{ key?: string; refused?: string }>('/api/unlock', { pin })
  if (!reply.ok) return reply.refusal.message
  const { key: text, refused } = reply.value
  if (text === undefined) return refused ?? 'The board did not unlock.'
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  key = await crypto.subtle.importKey('pkcs8', bytes, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  bytes.fill(0)
  isUnlocked.value = true
  return undefined
}

const SETTLED: Readonly<Record<string, string>> = {
  counted: '',
  gone: 'This answer came too late: the call was already denied.',
  signature: 'The signature did not count. End the board and start it again.',
  'not the board': 'Another board answers questions.',
  unconnected: 'The daemon is not running, so the call was denied.',
}

/** Signs exactly what is shown, and sends it. Returns why it did not count; empty if it did. */
export async function answer(
  pending: PendingCall,
  session: string,
  boardKey: string,
  said: Pick<PersonAnswer, 'answer' | 'reason'>,
): Promise<string> {
  if (key === undefined) return 'Type your PIN first.'
  const digest = hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.call)))
  const full: PersonAnswer = { ...said, atMs: Date.now(), how: 'browser' }
  const text = answerText(boardKey, { id: pending.id, session, digest }, full)
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = base64(await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text)))
  const body = { id: pending.id, answer: { ...full, signature } }
  const reply = await postJson<{ settled: string }>('/api/answer', body)
  if (!reply.ok) return reply.refusal.message
  return SETTLED[reply.value.settled] ?? 'The answer did not count.'
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
