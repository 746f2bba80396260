import type { MachineOverview } from '../../core/fleet-package.ts'
import type { Caller } from '../caller.ts'
import { plural, say } from '../screen.ts'
import { visible } from '../visible.ts'
import { type CentralOptions, person, printJson, unknownInFleet, withFleet } from './database.ts'

interface MachinesOptions extends CentralOptions {
  readonly team?: string
  readonly urgent?: boolean
}

/** Those that a person should look at come first. Exit code 1 if there is one. */
export function machines(caller: Caller, options: MachinesOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const { team, urgent } = options
    const found = await fleet.machines({
      ...(team === undefined ? {} : { team }),
      ...(urgent === undefined ? {} : { urgent }),
    })
    if (options.json === true) printJson(caller, found)
    else for (const machine of found) say(caller, machineLine(machine))
    if (found.some(({ state, revoked }) => state !== 'well' && !revoked)) caller.exitCode = 1
  })
}

function machineLine({
  machine,
  hostname,
  user,
  team,
  version,
  lastSeen,
  bundle,
  state,
  revoked,
}: MachineOverview): string {
  const policy =
    bundle === undefined
      ? 'no bundle'
      : `${bundle.name} ${bundle.revision}${bundle.enforced ? '' : ' (advisory)'}`
  const seen = lastSeen === undefined ? 'never seen' : `seen ${lastSeen.slice(0, 16).replace('T', ' ')}`
  const words = [
    state === 'well' ? 'well' : state.toUpperCase(),
    machine,
    hostname,
    user,
    team,
    `Holdpoint ${version}`,
    policy,
    seen,
  ]
  return visible([...words, revoked ? 'revoked' : ''].filter((word) => word !== '').join(', '), 400)
}

export function revokeMachine(caller: Caller, machine: string, options: CentralOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const isMachine = /^[0-9a-f-]{36}$/.test(machine)
    if (!isMachine || !(await fleet.revokeMachine(machine)))
      throw unknownInFleet(`There is no machine ${visible(machine, 60)}.`)
    say(caller, 'The key of the machine no longer counts. To go on, enroll the machine again with a token.')
  })
}

interface FindingsOptions extends CentralOptions {
  readonly resolve?: string
}

/** Exit code 1 if there is one. */
export function findings(caller: Caller, options: FindingsOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    if (options.resolve !== undefined) {
      const count = await fleet.resolveFindings(options.resolve, person())
      say(
        caller,
        `${plural(count, 'finding')} of the machine ${options.resolve} ${count === 1 ? 'is' : 'are'} resolved.`,
      )
      return
    }
    const found = await fleet.findings()
    if (options.json === true) printJson(caller, found)
    else if (found.length === 0) say(caller, 'Nothing was found.')
    else
      for (const { kind, machine, hostname, user, detail, foundAt } of found) {
        say(
          caller,
          visible(
            `${foundAt.slice(0, 16).replace('T', ' ')} ${kind.toUpperCase()} ${machine} ${hostname} ${user}: ${detail}`,
            400,
          ),
        )
      }
    if (found.length > 0) caller.exitCode = 1
  })
}

interface VerifyOptions extends CentralOptions {
  readonly machine?: string
}

/** Exit code 1 if a chain is broken. */
export function verifyFleet(caller: Caller, options: VerifyOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const chains = await fleet.verify(options.machine)
    const broken = chains.filter(({ ok }) => !ok)
    if (options.json === true) printJson(caller, chains)
    else {
      for (const { machine, branch, message } of broken)
        say(caller, `BROKEN ${machine} ${branch}: ${message}.`)
      const records = chains.reduce((sum, chain) => sum + chain.records, 0)
      say(caller, `${plural(chains.length, 'chain')}, ${plural(records, 'record')}, ${broken.length} broken.`)
    }
    if (broken.length > 0) caller.exitCode = 1
  })
}
