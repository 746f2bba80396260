import type { EventKind } from '../../event.ts'
import type { Pattern } from '../../hook.ts'
import { meantTool } from '../tool-names.ts'
import { EVENT_NOTES } from './event-notes.ts'

export const TOOL_EVENTS: readonly EventKind[] = [
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
]

/** Why a matcher at these events is never heard of, where that can be known. It stands nevertheless. */
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
    const where = key === 'subject' ? 'matchers are tested on nothing' : 'there is no tool'
    return `At ${silent.join(', ')} ${where}, so this never runs there; leave \`match\` away.`
  }
  if (key === 'subject' && !on.some((kind) => TOOL_EVENTS.includes(kind))) return undefined
  const meant =
    pattern.is === 'names' ? pattern.names.find((name) => meantTool(name) !== undefined) : undefined
  if (meant !== undefined) {
    return `\`${meant}\` matches nothing, because case counts; the tool is called \`${meantTool(meant)}\`.`
  }
  const foreign = text.split('|').find((part) => /[A-Za-z]/.test(part) && LOOKS_ALIKE.test(part))
  if (foreign === undefined) return undefined
  const sign = LOOKS_ALIKE.exec(foreign)?.[0] ?? ''
  const code = sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `\`${foreign.trim().slice(0, 60)}\` holds the letter U+${code}, which only looks like one in the name of a tool.`
}

/** Letters beyond ASCII, and signs that are not seen at all. */
const LOOKS_ALIKE = /[^\P{L}A-Za-z]|[\p{Cf}\p{Mn}]/u

function isTestedAt(key: string, kind: EventKind): boolean {
  if (key === 'toolName') return TOOL_EVENTS.includes(kind)
  return !(kind in EVENT_NOTES) || EVENT_NOTES[kind as keyof typeof EVENT_NOTES].includes('`match`')
}
