import type { ToolTable } from '../dialect-tools.ts'

/** CodeBuddy Code 2.117.0 has the tools of Claude Code under the same names. */
export const CODEBUDDY_TOOLS: ToolTable = { Task: { name: 'Agent' } }
