import { changePins, type Pin, readPins } from '../adapters/mcp/pins.ts'
import { HoldpointError } from '../core/errors.ts'
import type { Home } from '../system/home.ts'
import type { Caller } from './caller.ts'
import { lineDiff, shownDiffLine } from './line-diff.ts'
import { requirePerson, typed } from './person.ts'
import { recordPerson } from './person-record.ts'
import { visible } from './visible.ts'

/** Shows how the tools of a server differ from what was accepted, and accepts exactly what was shown. */
export async function acceptTools(caller: Caller, home: Home, file: string, server: string): Promise<void> {
  const pins = readPins(file)
  if (!pins.ok) throw new HoldpointError(pins.problem)
  const changed = [...(pins.value ?? [])].filter(([, pin]) => pin.seen !== undefined)
  if (changed.length === 0) {
    out(
      caller,
      pins.value === undefined
        ? `Nothing to accept: the gate has never listed the tools of ${server}. Start the server through \`holdpoint mcp\` first, with the same --name and the same command.`
        : `The tools of ${server} have not changed.`,
    )
    return
  }
  await requirePerson(caller, home, 'mcp --accept')
  for (const [name, pin] of changed) show(caller, name, pin)
  if (!(await typed(caller, 'Accept these tools?', 'accept'))) return out(caller, 'Nothing was changed.')
  const shown = new Map(changed.map(([name, pin]) => [name, pin.seen?.hash]))
  const accepted = changePins(
    file,
    (before) => new Map([...(before ?? [])].map(([name, pin]) => [name, moved(pin, shown.get(name))])),
  )
  if (!accepted.ok) throw new HoldpointError(accepted.problem)
  recordPerson(caller, home, 'Accept', `tools of ${server}: ${[...shown.keys()].join(', ')}`)
  out(
    caller,
    `Accepted: ${[...shown.keys()].map((name) => visible(name)).join(', ')}. Clients see the tools when they list them again.`,
  )
}

/** If the server has changed its tools since they were shown, the user has not read the new text. */
function moved(pin: Pin, hash: string | undefined): Pin {
  return pin.seen !== undefined && pin.seen.hash === hash ? { accepted: pin.seen } : pin
}

function show(caller: Caller, name: string, { accepted, seen }: Pin): void {
  out(caller, `${caller.colours.bold(visible(name))} ${accepted === undefined ? 'is new:' : 'has changed:'}`)
  for (const line of lineDiff(accepted?.text ?? '', seen?.text ?? '')) {
    out(caller, shownDiffLine(line, caller.colours))
  }
}

function out(caller: Caller, line: string): void {
  caller.stdout.write(`${line}\n`)
}
