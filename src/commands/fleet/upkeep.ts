import { HoldpointError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { plural, say } from '../screen.ts'
import { retentionOption } from './collector.ts'
import { type CentralOptions, person, withFleet } from './database.ts'

export function migrate(caller: Caller, options: CentralOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const { from, to } = await fleet.migrate()
    say(
      caller,
      from === to
        ? `The schema already has version ${to}.`
        : `The schema was brought from version ${from} to ${to}.`,
    )
  })
}

interface EraseOptions extends CentralOptions {
  readonly record?: string
  readonly session?: string
  readonly machine?: string
  readonly user?: string
  readonly rewrite?: boolean
}

export function eraseFleet(caller: Caller, options: EraseOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const { record, session, machine, user } = options
    const selection = Object.fromEntries(
      Object.entries({ record, session, machine, user }).filter(([, value]) => value !== undefined),
    )
    if (Object.keys(selection).length !== 1) {
      throw new HoldpointError({
        code: 'OPTION_INVALID',
        message: 'Name exactly one of --record, --session, --machine and --user.',
      })
    }
    const count = await fleet.erase(selection, person(), { rewrite: options.rewrite === true })
    say(
      caller,
      `${plural(count, 'record')} erased. The chains still verify: \`holdpoint fleet verify\`. Backups still have them.`,
    )
  })
}

interface RetainOptions extends CentralOptions {
  readonly keepDays?: string
  readonly keepProject?: readonly string[]
}

export function retain(caller: Caller, options: RetainOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const limits = retentionOption(options)
    if (limits === undefined) {
      throw new HoldpointError({
        code: 'OPTION_INVALID',
        key: '--keep-days',
        message: 'Pass --keep-days or --keep-project.',
      })
    }
    const { days, erased } = await fleet.retain(limits)
    say(caller, `${plural(days, 'day')} dropped, ${plural(erased, 'record')} erased.`)
  })
}
