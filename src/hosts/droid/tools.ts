import type { ToolTable } from '../dialect-tools.ts'

/** Droid 0.225.2: the tools that were seen, and those its documentation names. */
export const DROID_TOOLS: ToolTable = {
  Execute: { name: 'Bash' },
  Create: { name: 'Write' },
  FetchUrl: { name: 'WebFetch' },
  Task: {
    name: 'Agent',
    background: { option: 'await: false', isOn: (input) => input.await !== true },
  },
}
