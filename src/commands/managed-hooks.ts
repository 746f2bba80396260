import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { entryMarks } from '../hosts/install-check.ts'
import { writeWhole } from '../system/files.ts'
import type { Home } from '../system/home.ts'
import { type Install, updateInstalls } from '../system/installs.ts'
import { contentHash } from '../system/trust.ts'
import { type Agent, readIfThere } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'

/** The administrator's file of this agent on this platform. */
export function managedFile({ installer }: Agent): string | undefined {
  return installer.managedFile?.[process.platform]
}

/**
 * The hooks of `init` once more, in an administrator's file: no settings of a project or a person switch those off.
 * Where we may not write it, the file is prepared and the person is told the command. True: it is in place.
 */
export function installManaged(caller: Caller, agent: Agent, home: Home): boolean {
  const { installer, program } = agent
  const file = managedFile(agent)
  if (file === undefined) {
    caller.stdout.write(
      `  ${installer.program} has no settings of an administrator that Holdpoint can write.\n`,
    )
    return false
  }
  const options = { command: home.hookProgram, home: home.folder, version: program?.version }
  const text = installer.install(undefined, options)
  if (!text.ok) throw new HoldpointError(text.problem)
  if (readIfThere(file) !== text.value && !isWritten(file, text.value)) {
    const prepared = join(home.folder, 'managed-hooks.json')
    writeWhole(prepared, text.value)
    caller.stdout.write(
      [
        `  ${file} belongs to the administrator. To put the hooks there, type:`,
        `    sudo install -D -m 644 '${prepared}' '${file}'`,
        '  and run `holdpoint init --managed` again.\n',
      ].join('\n'),
    )
    return false
  }
  const marks = [...entryMarks(text.value, contentHash)].map(([event, found]) => [event, [...found][0] ?? ''])
  const install: Install = {
    ...{ host: installer.host, scope: 'managed', file, entries: installer.events.length },
    marks: Object.fromEntries(marks),
  }
  const noted = updateInstalls(home.installs, (all) => [...all.filter((each) => each.file !== file), install])
  if (!noted.ok) throw new HoldpointError(noted.problem)
  caller.stdout.write(`  No settings of a project can switch the hooks in ${file} off.\n`)
  return true
}

/** False: only an administrator may. */
function isWritten(file: string, text: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
    writeWhole(file, text, 0o644)
    return true
  } catch {
    return false
  }
}

/** Takes the file away; false where only an administrator may. */
export function removeManaged(caller: Caller, { file }: Pick<Install, 'file'>): boolean {
  try {
    rmSync(file, { force: true })
    caller.stdout.write(`${file} is gone.\n`)
    return true
  } catch {
    caller.stdout.write(`Only an administrator can remove the hooks there: sudo rm '${file}'\n`)
    return false
  }
}
