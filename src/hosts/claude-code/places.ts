import type { InstallPlaces } from '../../core/host.ts'
import { userFolder } from '../hook-entry.ts'
import { type InstallScope, SCOPES } from '../installer.ts'

/** Where Claude Code keeps what decides which hooks it runs. */

export function settingsFile(scope: InstallScope, where: InstallPlaces): string {
  if (scope === 'user') return `${configFolder(where)}/settings.json`
  const name = scope === 'local' ? 'settings.local.json' : 'settings.json'
  return `${where.project}/.claude/${name}`
}

/** An administrator's settings, which no other file can change. */
export const MANAGED_SETTINGS: readonly string[] = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
]

/**
 * Our own file among an administrator's. Its hooks run although a project says `disableAllHooks`, and with `--bare`,
 * `--safe-mode` and `--setting-sources` too; equal hooks in other settings are started once. Seen on 2.1.325.
 */
export const MANAGED_HOOKS: Readonly<Record<string, string>> = {
  linux: '/etc/claude-code/managed-settings.d/holdpoint.json',
  darwin: '/Library/Application Support/ClaudeCode/managed-settings.d/holdpoint.json',
}

/** Every file in which `disableAllHooks` counts; among them what an organisation's server sent last. */
export function governingFiles(where: InstallPlaces): readonly string[] {
  const remote = `${configFolder(where)}/remote-settings.json`
  return [...SCOPES.map((scope) => settingsFile(scope, where)), remote, ...MANAGED_SETTINGS]
}

export function pluginsFolder(where: InstallPlaces): string {
  return `${configFolder(where)}/plugins`
}

export function pluginList(where: InstallPlaces): string {
  return `${pluginsFolder(where)}/installed_plugins.json`
}

export function configFolder(where: InstallPlaces): string {
  return userFolder(where, 'CLAUDE_CONFIG_DIR', '.claude')
}
