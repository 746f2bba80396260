import { isObject, type JsonObject } from '../../json.ts'
import type { SwitchLook } from '../installer.ts'
import { settingsWarnings } from './install-warnings.ts'

/**
 * What outside our own files keeps Claude Code from running hooks: an administrator's settings, and a folder nobody
 * has told it to trust. Seen on 2.1.325; headless runs (`-p`) count every folder as trusted.
 */
export function claudeSwitches({ where, read }: SwitchLook): readonly string[] {
  return [...managed(read), ...untrusted(where, read)]
}

const MANAGED: readonly string[] = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
]

function managed(read: SwitchLook['read']): readonly string[] {
  return MANAGED.flatMap((file) => {
    const text = read(file)
    return text === undefined ? [] : settingsWarnings(text).map((warning) => `${file}: ${warning}`)
  })
}

function untrusted({ home, env, project }: SwitchLook['where'], read: SwitchLook['read']): readonly string[] {
  const file = env.CLAUDE_CONFIG_DIR ? `${env.CLAUDE_CONFIG_DIR}/.claude.json` : `${home}/.claude.json`
  const text = read(file)
  const projects = text === undefined ? undefined : parse(text).projects
  if (!isObject(projects)) return []
  const known = Object.hasOwn(projects, project) ? projects[project] : undefined
  if (isObject(known) && known.hasTrustDialogAccepted === true) return []
  return [
    `Claude Code has not been told to trust ${project}: until you do, an interactive session there runs no hooks at all.`,
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
