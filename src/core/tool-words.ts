/** The call around a value. */
export interface ToolName {
  readonly words: readonly string[]
  /** What is typed into it is run. */
  readonly isTerminal: boolean
}

/** The words of a tool's name: `mcp__desktop__runShellCommand` has mcp, desktop, run, shell, command. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** The key of an input without its spelling: `CommandLine`, `command_line` and `command-line` are one. */
export function plainKey(key: string): string {
  return key.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
}
