import { join } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { type HttpAddress, type InstallScope, PROJECT_LAUNCHER } from '../hosts/installer.ts'
import { planExclusion } from '../system/git-exclude.ts'
import type { Home } from '../system/home.ts'
import { readSettings } from '../system/settings-file.ts'
import { type Agent, fileFor, places } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'
import type { PolicyChange } from './init-packs.ts'
import { lineDiff, shownDiffLine } from './line-diff.ts'

export interface Preview {
  readonly agents: readonly Agent[]
  readonly scope: InstallScope
  readonly http: boolean
  readonly policy: readonly PolicyChange[]
  readonly project: string
  readonly home: Home
}

/** `init --dry-run`: the difference in every file that exists or would be written, and nothing is written. */
export function printPreview(caller: Caller, preview: Preview): void {
  const { agents, scope, policy, project, home } = preview
  for (const { path, before, after } of policy) printDiff(caller, path, before, after)
  const local: string[] = []
  for (const agent of agents) {
    const place = fileFor(agent.installer, scope, places(project, caller.env))
    if (place.scope === 'local') local.push(place.file, `${place.file}.holdpoint-backup`)
    printDiff(caller, place.file, ...settingsAfter(agent, place.scope, place.file, preview))
    if (place.scope === 'project')
      out(caller, `${caller.colours.bold(join(project, PROJECT_LAUNCHER))} is written: it starts Holdpoint.`)
  }
  const exclusion = local.length === 0 ? undefined : planExclusion(local, project, caller.env)
  if (exclusion !== undefined) printDiff(caller, exclusion.file, exclusion.before, exclusion.after)
  out(
    caller,
    `${caller.colours.bold(home.folder)} gets a copy of Holdpoint (runtime/, bin/) and a list of these files (installs.json).`,
  )
  out(caller, 'This was a preview: nothing was changed.')
}

/** The real secret is chosen when the hooks are written. */
const SECRET_LATER: HttpAddress = { port: 1, secret: '<secret>', mark: '<mark>' }

function settingsAfter(
  { installer, program }: Agent,
  scope: InstallScope,
  file: string,
  { http, home }: Preview,
): [string | undefined, string] {
  const before = readSettings(file)
  if (!before.ok) throw new HoldpointError(before.problem)
  const after = installer.install(before.value, {
    ...{
      command: home.hookProgram,
      home: home.folder,
      version: program?.version,
      portable: scope === 'project',
    },
    ...(http && installer.httpSince !== undefined ? { http: SECRET_LATER } : {}),
  })
  if (!after.ok) throw new HoldpointError({ file, ...after.problem })
  return [before.value, after.value]
}

function printDiff(caller: Caller, path: string, before: string | undefined, after: string): void {
  const lines = lineDiff(before ?? '', after)
  const state = before === undefined ? ' (new file)' : lines.length === 0 ? ' (no change)' : ''
  out(caller, `${caller.colours.bold(path)}${state}`)
  for (const line of lines) out(caller, shownDiffLine(line, caller.colours))
}

function out(caller: Caller, line: string): void {
  caller.stdout.write(`${line}\n`)
}
