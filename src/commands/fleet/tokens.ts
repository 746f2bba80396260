import type { Caller } from '../caller.ts'
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

export function createToken(caller: Caller, options: TokenOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const { role = 'push', label = '', team = '', expires, uses } = options
    const token = await fleet.createToken({
      ...{ role, label, team },
      ...(expires === undefined
        ? {}
        : { expiresAt: new Date(Date.now() + durationMs(expires, '--expires')) }),
      ...(uses === undefined ? {} : { uses: countOption(uses, '--uses', 1, 1_000_000) }),
    })
    caller.stdout.write(`${token}\n`)
    caller.stderr.write('holdpoint: the token is shown once. Store it like a password.\n')
  })
}

export function listTokens(caller: Caller, options: CentralOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const tokens = await fleet.tokens()
    if (options.json === true) return printJson(caller, tokens)
    for (const { id, role, label, team, expiresAt, usesLeft, revoked } of tokens) {
      const more = [
        team === '' ? undefined : `team ${team}`,
        expiresAt === undefined ? 'never expires' : `expires ${expiresAt.slice(0, 10)}`,
        usesLeft === undefined ? undefined : `${plural(usesLeft, 'use')} left`,
        revoked ? 'revoked' : undefined,
      ]
      say(caller, `${id} ${role} ${visible(label)} ${more.filter((each) => each !== undefined).join(', ')}`)
    }
  })
}

export function revokeToken(caller: Caller, id: string, options: CentralOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    if (!(await fleet.revokeToken(id))) throw unknownInFleet(`There is no token ${id} that counts.`)
    say(caller, `The token ${id} no longer counts. Machines that are registered with it stay registered.`)
  })
}
