/** The commands by what people want, each in a few words: the whole list fits one screen. */
const GROUPS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Guard your agents',
    [
      ['init', 'install hooks and policy'],
      ['run', 'start an agent with hooks'],
      ['trust', 'let project programs run'],
      ['allow', 'let one stopped call pass'],
      ['pause', 'switch guards off a while'],
      ['pin', 'a PIN for allow and trust'],
      ['upgrade', 'install the newest version'],
      ['uninstall', 'remove the hooks'],
    ],
  ],
  [
    'See what is guarded',
    [
      ['ui', 'the board in your browser'],
      ['top', 'the same in the terminal'],
      ['status', 'what is guarded here'],
      ['doctor', 'check that hooks work'],
      ['guards', 'what each guard stops'],
      ['config', 'the policy that applies'],
      ['docs', 'read the documentation'],
      ['demo', 'see an agent being guarded'],
    ],
  ],
  [
    'Write policy',
    [
      ['test', 'try a call, run your tests'],
      ['check', 'decide many calls'],
      ['lint', 'find mistakes'],
      ['adopt', 'take over your own hooks'],
      ['suggest', 'get ideas for your policy'],
      ['fleet', 'policy for many machines'],
    ],
  ],
  [
    'See what happened',
    [
      ['log', 'what was decided'],
      ['explain', 'why it was decided'],
      ['report', 'statistics and charts'],
      ['scan', 'what would be stopped'],
      ['replay', 'compare two policies'],
      ['audit', 'find unchecked calls'],
    ],
  ],
  [
    'For programs and agents',
    [
      ['hook', 'decide one event'],
      ['mcp', 'guard an MCP server'],
      ['daemon', 'the background process'],
      ['completion', 'completion for your shell'],
      ['skill', 'report that a skill runs'],
      ['mux', 'tools for an orchestrator'],
    ],
  ],
]

const USAGE = 'Usage: holdpoint <command> [options]'
const MORE = 'Options: holdpoint <command> --help'
const COLUMN = 40
const NAME = 12

/** The text of `holdpoint --help`. */
export function helpText(width: number): string {
  const isWide = width >= 2 * COLUMN
  const lines = GROUPS.flatMap(([title, commands]) => [title, ...rows(commands, isWide)])
  return [isWide ? `${USAGE}. ${MORE}` : `${USAGE}\n${MORE}`, ...lines, ''].join('\n')
}

/** Every command in the help, for the test that none is missing. */
export const HELP_COMMANDS: readonly string[] = GROUPS.flatMap(([, commands]) =>
  commands.map(([name]) => name),
)

function rows(commands: readonly (readonly [string, string])[], isWide: boolean): readonly string[] {
  const cells = commands.map(([name, does]) => `  ${name.padEnd(NAME)}${does}`)
  if (!isWide) return cells
  return Array.from({ length: Math.ceil(cells.length / 2) }, (_, at) =>
    `${(cells[2 * at] ?? '').padEnd(COLUMN)}${cells[2 * at + 1] ?? ''}`.trimEnd(),
  )
}
