/**
 * Tools that run a command line, by the names agents and servers give them. A guard of shell commands means all of them;
 * a person's own matcher means the name it says.
 */
const SHELL_TOOLS: ReadonlySet<string> = new Set([
  ...['Bash', 'PowerShell', 'bash', 'shell', 'terminal', 'exec', 'local_shell', 'shell_exec', 'exec_command'],
  ...[
    'execute_command',
    'run_command',
    'run_shell_command',
    'run_terminal_cmd',
    'run_in_terminal',
    'run_bash',
  ],
  ...[
    'execute_shell',
    'execute_shell_command',
    'execute_bash',
    'start_process',
    'shell_execute',
    'runCommand',
  ],
])

/** `mcp__server__tool` is known by its last part. */
export function isShellTool(name: string): boolean {
  if (SHELL_TOOLS.has(name)) return true
  const at = name.startsWith('mcp__') ? name.lastIndexOf('__') : -1
  return at > 0 && SHELL_TOOLS.has(name.slice(at + 2))
}
