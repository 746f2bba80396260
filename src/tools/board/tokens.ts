import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Who may look: a link with a code that works once, exchanged for a token that a page sends with every request. Both are
 * new at every start and are never written to a file.
 */
export interface BoardTokens {
  /** A code for one more link. */
  issue(): string
  /** The token for a code. `used`: two programs had the same link, so the first token counts no longer either. */
  redeem(code: string): string | 'used' | 'unknown'
  accepts(token: string | undefined): boolean
}

const BYTES = 24
/** More tabs than a person has; more links than a person asks for. */
const KEPT_MAX = 32

export function createBoardTokens(): BoardTokens {
  const codes = new Set<string>()
  /** The digest of the token that a code was exchanged for. */
  const redeemed = new Map<string, string>()
  const tokens = new Set<string>()
  return {
    issue() {
      const code = randomBytes(BYTES).toString('base64url')
      codes.add(code)
      dropOldest(codes)
      return code
    },
    redeem(code) {
      const digest = redeemed.get(code)
      if (digest !== undefined) {
        tokens.delete(digest)
        return 'used'
      }
      if (!codes.delete(code)) return 'unknown'
      const token = randomBytes(BYTES).toString('base64url')
      const kept = digestOf(token)
      tokens.add(kept)
      dropOldest(tokens)
      redeemed.set(code, kept)
      dropOldest(redeemed)
      return token
    },
    accepts(token) {
      if (token === undefined) return false
      const digest = Buffer.from(digestOf(token))
      return [...tokens].some((each) => timingSafeEqual(Buffer.from(each), digest))
    },
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function dropOldest(kept: {
  readonly size: number
  keys(): Iterator<string>
  delete(key: string): boolean
}): void {
  const oldest = kept.size > KEPT_MAX ? kept.keys().next() : undefined
  if (oldest?.done === false) kept.delete(oldest.value)
}
