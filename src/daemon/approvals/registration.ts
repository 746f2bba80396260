import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isObject, type Json, textAt } from '../../core/json.ts'
import { type KeyHome, personVerifier, type Signature, type Signer } from '../../system/signatures.ts'
import { keyState } from '../../system/signing-key.ts'

/**
 * A board may answer questions if a person signed its key: with the key that is protected by the PIN, at a terminal, when
 * the board was started. The key of a board lives as long as its process and is never written to a file.
 */
export interface BoardRegistration {
  /** The public half, SPKI in base64. ECDSA P-256, because every browser can sign with it. */
  readonly key: string
  readonly startedMs: number
  readonly untilMs: number
  readonly pid: number
  /** The signature of the person over all of this. */
  readonly by: Signature
}

export interface BoardKey {
  readonly publicKey: string
  /** PKCS #8. */
  readonly privateKey: Buffer
}

/** A board that is never closed must not answer forever. */
const BOARD_MAX_MS = 12 * 60 * 60 * 1_000
/** Two clocks of one machine are the same; this is for rounding. */
const CLOCK_MS = 60_000

export function createBoardKey(): BoardKey {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }),
  }
}

export function signRegistration(key: string, signer: Signer, nowMs: number, pid: number): BoardRegistration {
  const content = { key, startedMs: nowMs, untilMs: nowMs + BOARD_MAX_MS, pid }
  return { ...content, by: signer.sign('board', signedContent(content)) }
}

/**
 * The registration, if a person made it and it counts now. A key without a PIN could sign for any program that reads the
 * file, so it registers no board.
 */
export function readBoardRegistration(
  value: unknown,
  home: KeyHome,
  nowMs: number,
): BoardRegistration | undefined {
  if (!isObject(value) || keyState(home) !== 'pin') return undefined
  const key = textAt(value, 'key')
  const { startedMs, untilMs, pid, by = null } = value
  const isNumbers = [startedMs, untilMs, pid].every((each) => typeof each === 'number')
  if (key === undefined || !isNumbers || !isObject(by)) return undefined
  const content = { key, startedMs: Number(startedMs), untilMs: Number(untilMs), pid: Number(pid) }
  const isNow = content.startedMs <= nowMs + CLOCK_MS && nowMs < content.untilMs
  if (!isNow || content.untilMs - content.startedMs > BOARD_MAX_MS) return undefined
  if (!personVerifier(home)('board', signedContent(content), by)) return undefined
  return { ...content, by: by as unknown as Signature }
}

function signedContent({ key, startedMs, untilMs, pid }: Omit<BoardRegistration, 'by'>): readonly Json[] {
  return [key, startedMs, untilMs, pid]
}

/** `dev (1000) at /dev/pts/3, process 4242` */
export function describeBoard({ by, pid }: BoardRegistration): string {
  return `${by.user} at ${by.terminal}, process ${pid}`
}

/** For a board without a browser, which signs by itself. */
export function signWithKey(privateKey: Buffer, text: string): string {
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' })
  return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64')
}

export function boardPublicKey({ key }: BoardRegistration): KeyObject {
  return createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
}
