/** The researcher writes notes and nothing else. */
export function onlyNotes({ tool_input: input }) {
  const path = String(input.file_path ?? '')
  return path.startsWith('notes/') ? null : { decision: 'deny', reason: `${path} is not below notes/.` }
}
