import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deadlinesOf } from '../deadlines.ts'
import { HoldpointError } from '../errors.ts'
import { EVENT_KINDS, type EventKind } from '../event.ts'
import { answeringCommand, hookArguments, shellCommand } from '../hosts/hook-entry.ts'
import { PROJECT_LAUNCHER } from '../hosts/installer.ts'
import { installSkills, removeSkills } from '../mux/skills.ts'
import type { Home } from '../world/home.ts'
import type { Install } from '../world/installs.ts'

/** The part of `init` and `uninstall` that is for orchestrations: skills beside the agent's own settings. */

/** Only Claude Code has skills with hooks in their heads. */
export function copySkills(home: Home, { host, scope, file }: Install): void {
  if (host !== 'claude-code') return
  const to = join(dirname(file), 'skills')
  const hook = (event: string) => hookCommand(event, scope === 'project' ? undefined : home)
  const { written, kept } = installSkills({ from: shipped(), to, scope, list: listOf(home), hook })
  if (written.length > 0) process.stdout.write(`Skills: mux and mux-subagent are in ${to}\n`)
  for (const each of kept) process.stdout.write(`  ${each} is yours and stays as it is.\n`)
}

export function takeSkillsBack(home: Home, scope: string | undefined): void {
  const { written, kept } = removeSkills(listOf(home), scope)
  if (written.length > 0) process.stdout.write(`Skills: ${written.length} files are taken back.\n`)
  for (const each of kept) process.stdout.write(`  ${each} was changed and stays.\n`)
}

function listOf(home: Home): string {
  return join(home.folder, 'skills.json')
}

/**
 * As the settings have it, and without `--skill`: the agent program lets the hook of a sub-agent's skill loose on the
 * parent, and keeps all of them to the end of the session. Who has which skill is known from the events.
 */
function hookCommand(event: string, home: Home | undefined): string {
  const kind = EVENT_KINDS.find((each) => each === event) as EventKind
  const { clientMs } = deadlinesOf(kind)
  const words = [...hookArguments('claude-code', kind, home?.folder, clientMs), '--pack', 'mux']
  const line =
    home === undefined
      ? `"$CLAUDE_PROJECT_DIR"/${PROJECT_LAUNCHER} ${shellCommand(words)}`
      : shellCommand([home.hookProgram, ...words])
  return answeringCommand(line, kind)
}

/** `skills/` of this package, above wherever this file was built to. */
function shipped(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const skills = join(folder, 'skills')
    if (existsSync(join(skills, 'mux', 'SKILL.md'))) return skills
    if (dirname(folder) === folder) {
      throw new HoldpointError({ code: 'INTERNAL', message: 'The skills are missing in this installation.' })
    }
    folder = dirname(folder)
  }
}
