import { wordSet } from '../../core/word-list.ts'
import { propertiesOf, propertyName, readJsonText, valueAt } from '../json-text.ts'

/** One event that it does not know, and Cursor reads nothing of the file. */
const EVENTS = wordSet(`
  beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead subagentStart preToolUse beforeSubmitPrompt
  sessionStart stop subagentStop afterShellExecution afterMCPExecution afterFileEdit afterTabFileEdit afterAgentResponse
  afterAgentThought postToolUse postToolUseFailure preCompact sessionEnd workspaceOpen
`)

/** What in `hooks.json` makes Cursor drop the whole file, in plain words. */
export function hooksFileStops(text: string): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok || document.value.root === undefined) return []
  const { root } = document.value
  const unknown = propertiesOf(valueAt(root, 'hooks'))
    .map(propertyName)
    .filter((event) => !EVENTS.has(event))
  return [
    ...(isReadWhole(text)
      ? []
      : [
          'Cursor cuts each line at `//`, also inside a text, and cannot read the rest. Write it without `//`.',
        ]),
    ...(valueAt(root, 'version')?.value === 1 ? [] : ['Cursor expects `"version": 1` in this file. Add it.']),
    ...unknown.map(
      (event) => `Cursor does not know the event \`${event}\` and drops the whole file. Remove it.`,
    ),
  ]
}

/** As its reader does it. */
function isReadWhole(text: string): boolean {
  try {
    JSON.parse(
      text
        .replace(/^\uFEFF/, '')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\/\/.*$/gm, '')
        .replace(/,(?=\s*[}\]])/g, ''),
    )
    return true
  } catch {
    return false
  }
}
