import type { Event, ToolCall } from '../../core/event.ts'
import { wordSet } from '../../core/word-list.ts'

/**
 * Whether calls may follow from an event that are not events of their own: of instructions that it starts or writes.
 * Cheap, because nearly no event has any, and finding them (implied-calls.ts) takes everything that reads commands.
 */
export function mayImplyCalls(event: Event): boolean {
  switch (event.kind) {
    case 'UserPromptExpansion':
      return true
    case 'UserPromptSubmit':
      return /^\s*\//.test(event.prompt)
    case 'PreToolUse':
    case 'PermissionRequest':
      return STARTERS.has(event.tool.name) || mentionsInstructions(event.tool)
    default:
      return false
  }
}

/** Tools that start instructions. */
const STARTERS = wordSet('Skill skill activate_skill SlashCommand Workflow Agent Task')

/** Whether the call has what every path of a file of instructions, or the way to it, has in it. */
export function mentionsInstructions({ input }: ToolCall): boolean {
  const { command, cmd, file_path, path } = input
  const named = [file_path, path, command, cmd].filter((each) => typeof each === 'string')
  return MENTIONS.test(named.length > 0 ? named.join(' ') : JSON.stringify(input).slice(0, SEARCHED_MAX))
}

const MENTIONS =
  /skill|command|agent|\.claude|mcp|lsp|plugin|extension|hooks\.json|monitors\.json|opencode|\.(?:md|markdown)\b/i

const SEARCHED_MAX = 64 * 1024
