import { dirname, join } from 'node:path'
import { deadlinesOf } from '../core/deadlines.ts'
import { EVENT_KINDS, type EventKind } from '../core/event.ts'
import type { InstallPlaces } from '../core/host.ts'
import { answeringCommand, hookArguments, shellCommand } from '../hosts/hook-entry.ts'
import { type Installer, PROJECT_LAUNCHER } from '../hosts/installer.ts'
import type { Home } from '../system/home.ts'
import type { Install } from '../system/installs.ts'
import { packageRoot } from '../system/package.ts'
import { installSkills, plannedSkills, removeSkills } from '../tools/mux/skills.ts'
import type { Caller } from './caller.ts'

/** The part of `init` and `uninstall` that adds and removes the skills for orchestrations. */

/** The paths that `copySkills` would add for this agent. */
export function skillsToAdd(home: Home, to: string): readonly string[] {
  return plannedSkills({ from: join(packageRoot(), 'skills'), to, list: listOf(home) })
}

/** Only Claude Code supports hooks in the front matter of skills; the other agents have the installed hooks alone. */
export function copySkills(
  caller: Caller,
  home: Home,
  installer: Installer,
  install: Install,
  where: InstallPlaces,
): void {
  const { host, scope } = install
  const isClaude = host === 'claude-code'
  const to = skillsOf(installer, install, where)
  const { written, kept } = installSkills({
    from: join(packageRoot(), 'skills'),
    ...{ to, host, scope, list: listOf(home) },
    shown: isClaude && scope !== 'user' ? '.claude/skills' : to,
    ...(isClaude && { hook: (event) => hookCommand(event, scope === 'project' ? undefined : home) }),
  })
  if (written.length > 0) caller.stdout.write(`Skills: mux and mux-subagent were written to ${to}\n`)
  for (const each of kept) caller.stdout.write(`  ${each} is your own file and was not changed.\n`)
}

export function takeSkillsBack(caller: Caller, home: Home, host: string, scope: string | undefined): void {
  const { written, kept } = removeSkills(listOf(home), host, scope)
  if (written.length > 0) caller.stdout.write(`Skills: ${written.length} files were removed.\n`)
  for (const each of kept) caller.stdout.write(`  ${each} was edited and was not removed.\n`)
}

/** The folder in which this agent looks for skills. */
export function skillsOf(
  installer: Installer,
  { file }: Pick<Install, 'file'>,
  where: InstallPlaces,
): string {
  if (installer.host === 'claude-code') return join(dirname(file), 'skills')
  return installer.skillsFolder?.(where) ?? join(where.home, '.agents', 'skills')
}

function listOf(home: Home): string {
  return join(home.folder, 'skills.json')
}

/**
 * The same command as in the settings, without `--skill`: the agent program also runs the hook of a
 * sub-agent's skill for the parent, and keeps it until the session ends. The events tell which agent has
 * which skill.
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
