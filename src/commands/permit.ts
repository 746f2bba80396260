import { writeFileSync } from 'node:fs'
import { HoldpointError } from '../core/errors.ts'
import { localTime } from '../core/formats/local-time.ts'
import type { Home } from '../system/home.ts'
import { isPermitted, PERMITTED, type Permit, type Permitted, signPermit } from '../system/permit.ts'
import { findProject } from '../system/project.ts'
import { permitKeysFile, publicFile } from '../system/signatures.ts'
import { UNFIT } from '../system/trust.ts'
import { type Caller, homeNamed } from './caller.ts'
import { durationMs } from './duration.ts'
import { personSigner, requirePerson } from './person.ts'
import { recordPerson } from './person-record.ts'
import { say } from './screen.ts'
import { pathInPermit } from './trust.ts'
import { survey } from './trust-survey.ts'

interface PermitOptions {
  readonly for: string
  readonly out: string
  readonly home?: string
}

const PERMIT_MAX_MS = 90 * 24 * 3_600_000

/** Writes a permit, signed by the person here, for machines on which root put this person's key. */
export async function permit(
  caller: Caller,
  commands: readonly string[],
  options: PermitOptions,
): Promise<void> {
  const home = homeNamed(caller, options.home)
  const unknown = commands.find((command) => !isPermitted(command))
  if (unknown !== undefined) {
    const message = `"${unknown}" cannot be permitted.`
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: 'permit',
      message,
      fix: `Name one of: ${PERMITTED.join(', ')}.`,
    })
  }
  const forMs = durationMs(options.for, '--for')
  if (forMs > PERMIT_MAX_MS) {
    const message = `${options.for} is too long for a permit.`
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--for',
      message,
      fix: 'Permit it for 90d at most.',
    })
  }
  const person = await requirePerson(caller, home, 'pin permit')
  const known = [...new Set(commands.filter(isPermitted))]
  const made = { commands: known, untilMs: Date.now() + forMs, ...(await pinsFor(caller, home, known)) }
  writeFileSync(caller.path(options.out), signPermit(made, await personSigner(caller, home, person)))
  recordPerson(caller, home, 'Permit', `permitted elsewhere: ${known.join(', ')}`)
  say(caller, `${options.out} permits ${known.join(', ')} until ${localTime(made.untilMs)}.`)
  say(caller, 'It counts where root has put your key, and never below an agent. On that machine, as root:')
  say(caller, `  install -D -m 644 ${publicFile(home)} ${permitKeysFile(home)}`)
}

/** A permit for `trust` is one for the files of this project as they are now. */
async function pinsFor(
  caller: Caller,
  home: Home,
  commands: readonly Permitted[],
): Promise<Pick<Permit, 'files'>> {
  if (!commands.includes('trust')) return {}
  const project = findProject(caller.cwd)
  const { files } = await survey({ home, project })
  const pins = [...files].flatMap(([path, { pin }]) =>
    pin === UNFIT ? [] : [[pathInPermit(project, path), pin] as const],
  )
  return { files: Object.fromEntries(pins) }
}
