import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import type { NewToken, TokenInfo } from '../../../../src/core/fleet-package.ts'
import { sha256 } from '../../../../src/system/sha256.ts'
import { plain } from '../sink/columns.ts'
import { inTransaction } from './connection.ts'

/** Enough of the hash to name a token, and too little to be one. */
const ID_LENGTH = 12

export async function createToken(
  pool: Pool,
  { role, label, team, expiresAt, uses }: NewToken,
): Promise<string> {
  const token = `hp_${role}_${randomBytes(32).toString('base64url')}`
  await inTransaction(pool, 'admin', ({ client }) =>
    client.query(
      'INSERT INTO holdpoint.tokens (hash, role, label, team, expires_at, uses_left) VALUES ($1, $2, $3, $4, $5, $6)',
      [sha256(token), role, plain(label), plain(team), expiresAt ?? null, uses ?? null],
    ),
  )
  return token
}

export function listTokens(pool: Pool): Promise<readonly TokenInfo[]> {
  return inTransaction(pool, 'admin', async ({ client }) => {
    const { rows } = await client.query('SELECT * FROM holdpoint.tokens ORDER BY created_at')
    return rows.map(
      (row): TokenInfo => ({
        id: row.hash.slice(0, ID_LENGTH),
        role: row.role,
        label: row.label,
        team: row.team,
        createdAt: row.created_at.toISOString(),
        ...(row.expires_at === null ? {} : { expiresAt: row.expires_at.toISOString() }),
        ...(row.uses_left === null ? {} : { usesLeft: row.uses_left }),
        revoked: row.revoked_at !== null,
      }),
    )
  })
}

export function revokeToken(pool: Pool, id: string): Promise<boolean> {
  return inTransaction(pool, 'admin', async ({ client }) => {
    const { rowCount } = await client.query(
      'UPDATE holdpoint.tokens SET revoked_at = now() WHERE left(hash, $1) = $2 AND revoked_at IS NULL',
      [ID_LENGTH, id],
    )
    return (rowCount ?? 0) > 0
  })
}
