import { durationMs } from '../duration.ts'
import { plural, say } from '../screen.ts'
import { visible } from '../visible.ts'
import { type CentralOptions, printJson, unknownInFleet, withFleet } from './database.ts'
import { countOption } from './options.ts'

interface TokenOptions extends CentralOptions {
  readonly role?: 'push' | 'read' | 'admin'
  readonly label?: string
  readonly team?: string
  readonly expires?: string
  readonly uses?: string
}

export function createToken(options: TokenOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const { role = 'push', label = '', team = '', expires, uses } = options
    const token = await fleet.createToken({
      ...{ role, label, team },
      ...(expires === undefined
        ? {}
        : { expiresAt: new Date(Date.now() + durationMs(expires, '--expires')) }),
      ...(uses === undefined ? {} : { uses: countOption(uses, '--uses', 1, 1_000_000) }),
    })
    process.stdout.write(`${token}\n`)
    process.stderr.write('holdpoint: the token is shown once. Store it like a password.\n')
  })
}

export function listTokens(options: CentralOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const tokens = await fleet.tokens()
    if (options.json === true) return printJson(tokens)
    for (const { id, role, label, team, expiresAt, usesLeft, revoked } of tokens) {
      const more = [
        team === '' ? undefined : `team ${team}`,
        expiresAt === undefined ? 'never expires' : `expires ${expiresAt.slice(0, 10)}`,
        usesLeft === undefined ? undefined : `${plural(usesLeft, 'use')} left`,
        revoked ? 'revoked' : undefined,
      ]
      say(`${id} ${role} ${visible(label)} ${more.filter((each) => each !== undefined).join(', ')}`)
    }
  })
}

export function revokeToken(id: string, options: CentralOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    if (!(await fleet.revokeToken(id))) throw unknownInFleet(`There is no token ${id} that counts.`)
    say(`The token ${id} no longer counts. Machines that are registered with it stay registered.`)
  })
}
