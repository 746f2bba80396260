import { isObject, type JsonObject } from '../../core/json.ts'
import type { SwitchQuery } from '../installer.ts'
import { settingsWarnings } from './install-warnings.ts'
import { MANAGED_SETTINGS } from './places.ts'

/**
 * Settings outside our own files that prevent Claude Code from running hooks: an administrator's settings, and a folder
 * that is not trusted. Observed in 2.1.325; headless runs (`-p`) treat every folder as trusted.
 */
export function claudeSwitches({ where, read }: SwitchQuery): readonly string[] {
  return [...managed(read), ...untrusted(where, read)]
}

function managed(read: SwitchQuery['read']): readonly string[] {
  return MANAGED_SETTINGS.flatMap((file) => {
    const text = read(file)
    return text === undefined ? [] : settingsWarnings(text).map((warning) => `${file}: ${warning}`)
  })
}

function untrusted(
  { home, env, project }: SwitchQuery['where'],
  read: SwitchQuery['read'],
): readonly string[] {
  const file = env.CLAUDE_CONFIG_DIR ? `${env.CLAUDE_CONFIG_DIR}/.claude.json` : `${home}/.claude.json`
  const text = read(file)
  const projects = text === undefined ? undefined : parse(text).projects
  if (!isObject(projects)) return []
  const known = Object.hasOwn(projects, project) ? projects[project] : undefined
  if (isObject(known) && known.hasTrustDialogAccepted === true) return []
  return [
    `Claude Code does not trust ${project} yet, so an interactive session there runs no hooks. Start claude there and trust the folder.`,
  ]
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
