import type { EventKind } from '../../../core/event.ts'
import type { Pattern } from '../../../core/hook.ts'
import { meantTool } from '../tool-names.ts'
import { EVENT_NOTES } from './event-notes.ts'

export const EVENTS_WITH_TOOL: readonly EventKind[] = [
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
]

/** Why a matcher never matches at these events, if that is known. The matcher is kept. */
export function whyNever(
  key: string,
  text: string,
  pattern: Pattern,
  on: readonly EventKind[],
): string | undefined {
  const isAboutTools = key === 'toolName' || key === 'subject'
  if (!isAboutTools) return undefined
  const silent = on.filter((kind) => !isTestedAt(key, kind))
  if (silent.length > 0) {
    const where = key === 'subject' ? 'there is nothing to match' : 'there is no tool'
    return `At ${silent.join(', ')} ${where}, so this never runs there; remove \`match\`.`
  }
  if (key === 'subject' && !on.some((kind) => EVENTS_WITH_TOOL.includes(kind))) return undefined
  const meant =
    pattern.kind === 'names' ? pattern.names.find((name) => meantTool(name) !== undefined) : undefined
  if (meant !== undefined) {
    return `\`${meant}\` matches nothing, because names are case-sensitive; the tool is called \`${meantTool(meant)}\`.`
  }
  const foreign = text.split('|').find((part) => /[A-Za-z]/.test(part) && LOOKS_ALIKE.test(part))
  if (foreign === undefined) return undefined
  const sign = LOOKS_ALIKE.exec(foreign)?.[0] ?? ''
  const code = sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `\`${foreign.trim().slice(0, 60)}\` contains the character U+${code}, which only looks like a letter of a tool name.`
}

/** Letters outside ASCII, and invisible characters. */
const LOOKS_ALIKE = /[^\P{L}A-Za-z]|[\p{Cf}\p{Mn}]/u

function isTestedAt(key: string, kind: EventKind): boolean {
  if (key === 'toolName') return EVENTS_WITH_TOOL.includes(kind)
  return !(kind in EVENT_NOTES) || EVENT_NOTES[kind as keyof typeof EVENT_NOTES].includes('`match`')
}
