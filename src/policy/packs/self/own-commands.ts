import type { GuardInput, GuardMatch } from '../../../core/guard.ts'
import { wordSet } from '../../../core/word-list.ts'
import { readOptions } from '../../../shell/arguments/options.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { exactText, type Word } from '../../../shell/words/words.ts'
import { launchedProgram } from '../../analysis/launched-program.ts'
import { commandsIn, detector, shellGuard } from '../shell-guard.ts'
import { setForLater } from './agent-switches.ts'

/**
 * Holdpoint commands that weaken its protection, or that act as an agent, are for people. The other commands only
 * show something.
 */
export const ownCommands = shellGuard({
  id: 'self/own-commands',
  title: 'Running a command that is for people',
  why: 'The command changes what the agent may do, so only the user may run it.',
  instead: 'say what you need. The user can run the command in a separate terminal.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'holdpoint uninstall --yes',
      'holdpoint allow k3f9-2m7q --always',
      'holdpoint pause 10m',
      'holdpoint pin reset',
      'holdpoint pin permit uninstall',
      'holdpoint --home /tmp/x trust --yes',
      'holdpoint daemon stop',
      'holdpoint adopt --undo',
      'npx holdpoint trust --yes',
      'npx --yes holdpoint@latest init --pack safety --yes',
      'npx -p holdpoint holdpoint uninstall',
      'npm exec --yes -- holdpoint pause 8h --all',
      'npm x holdpoint@1 allow abcd-efgh',
      'pnpm dlx holdpoint uninstall',
      'pnpm exec holdpoint init',
      'yarn dlx holdpoint uninstall',
      'bunx holdpoint trust',
      'node node_modules/holdpoint/dist/holdpoint.cjs skill end mux --session 1',
      'node --no-warnings /usr/lib/node_modules/holdpoint/dist/holdpoint.cjs allow abcd-efgh',
      './node_modules/.bin/holdpoint uninstall',
      'script -qec "holdpoint pause 10m" /dev/null',
      'echo allow | holdpoint allow k3f9-2m7q',
      'holdpoint "$VERB"',
      'holdpoint lint --fix',
      "holdpoint mcp -- bash -c 'git push --force'",
      'holdpoint mcp -- sh x.sh --help',
      'holdpoint upgrade',
      'holdpoint log --erase 01a1e78a',
      'holdpoint suggest --accept no-terraform',
      `holdpoint test --home /tmp/hh --tool Read --args '{"file_path": "a.txt"}'`,
      'holdpoint --home=/tmp/hh explain --tool Bash',
      'HOLDPOINT_HOME=/tmp/hh holdpoint test --tool Read',
      'export XDG_CONFIG_HOME=/tmp/h; npx holdpoint check --jsonl --project < calls.jsonl',
      'env HOME=/tmp/h holdpoint explain --tool Bash',
      '~/.config/holdpoint/bin/holdpoint-hook claude-code < event.json',
      'npm uninstall -g holdpoint',
      'npm rm --global holdpoint',
      'pnpm remove -g holdpoint',
      'yarn global remove holdpoint',
      'bun remove holdpoint',
      'brew uninstall holdpoint',
      'claude plugin disable holdpoint',
      'claude plugin uninstall holdpoint@holdpoint --yes',
      'claude plugins remove --scope project holdpoint',
      'claude plugin disable --all',
      'claude plugin marketplace remove holdpoint',
      'npx @anthropic-ai/claude-code plugin disable holdpoint@holdpoint',
    ],
    passes: [
      'holdpoint log --limit 5',
      'holdpoint explain --tool Bash',
      'holdpoint explain --last --session 3f5bb808',
      '"/home/dev/.claude/plugins/cache/holdpoint/holdpoint/0.2.0/bin/holdpoint" explain --last',
      'claude plugin list --json',
      'claude plugin disable formatter@team',
      'claude plugin enable holdpoint',
      'claude plugin marketplace remove team',
      'claude plugin disable --help',
      'holdpoint doctor',
      'holdpoint lint .claude/settings.json',
      'holdpoint test --tool Bash',
      'holdpoint check --jsonl',
      'holdpoint daemon status',
      'holdpoint pin status',
      'holdpoint daemon logs',
      'holdpoint trust --list',
      'holdpoint allow --list',
      'holdpoint pause --end',
      'holdpoint uninstall --help',
      'holdpoint help allow',
      'holdpoint mcp --help',
      'holdpoint suggest',
      'HOME=/tmp/h npm test',
      'npx holdpoint explain --tool Bash',
      'npm install -g holdpoint',
      'npm uninstall left-pad',
      'npm ls holdpoint',
      'git clone https://example.com/holdpoint uninstall',
      'git commit -m "holdpoint uninstall is for people"',
      'man holdpoint',
      'which holdpoint',
      'grep -rn "holdpoint pause" docs',
      'cd holdpoint && npm test',
    ],
  },
  mentions: /holdpoint/,
  maybe: 'may run a command that is for people',
  detectors: [
    detector(
      commandsIn,
      (command, input) => ownCatch(command, input) ?? removalCatch(command) ?? pluginCatch(command),
    ),
  ],
})

const FOR_PEOPLE = wordSet(
  'init uninstall upgrade trust skill allow pause pin daemon adopt hook mcp run ui fleet',
)
const OPTIONS = 'home= h|help V|version yes json'
/** With these options the command only shows something, or makes the rules stricter. */
const HARMLESS = /^--?(?:h|help|list|remove|revoke|end)$/
const LOOKS = new Set(['status', 'logs', 'help'])

/** Changes of policy and journal that a command makes only with this option. */
const ACTS = new Map([
  ['lint', '--fix'],
  ['log', '--erase'],
  ['suggest', '--accept'],
])

/** These commands run the programs of a configuration, and trust that of their home. */
const RUNS_HOOKS = wordSet('test explain check')
const HOME_VARIABLES = wordSet('HOLDPOINT_HOME XDG_CONFIG_HOME HOME')

function ownCatch(command: SimpleCommand, { event, facts }: GuardInput): GuardMatch | null {
  const program = launchedProgram(command)
  if (program?.name === 'holdpoint-hook') return caught(command, 'holdpoint-hook')
  if (program?.name !== 'holdpoint') return null
  const [verb, ...after] = readOptions(program.args, OPTIONS, { stopAtOperand: true }).operands
  const rest = beforeDashes(after)
  if (verb === undefined || rest.some((word) => HARMLESS.test(exactText(word) ?? ''))) return null
  const text = exactText(verb)
  if (text === undefined) {
    return {
      ...caught(command, verb.source),
      unsure: `which command ${verb.source} is, is known only at run time`,
    }
  }
  const act = ACTS.get(text)
  if (act !== undefined && rest.some((word) => exactText(word)?.split('=')[0] === act))
    return caught(command, `${text} ${act}`)
  if (RUNS_HOOKS.has(text)) {
    const set = [...commandsIn(event, facts).flatMap(setForLater), ...command.assignments]
    const isElsewhere =
      set.some(({ name }) => HOME_VARIABLES.has(name)) ||
      program.args.some((word) => /^--home(?:=|$)/.test(exactText(word) ?? word.source))
    if (isElsewhere) return caught(command, `${text} with another home`)
  }
  if (!FOR_PEOPLE.has(text) || ((text === 'daemon' || text === 'pin') && looks(rest[0]))) return null
  return caught(command, text)
}

/** What follows `--` is for another program. */
function beforeDashes(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex((word) => exactText(word) === '--')
  return at === -1 ? words : words.slice(0, at)
}

function looks(verb: Word | undefined): boolean {
  return LOOKS.has(exactText(verb) ?? '')
}

function caught(command: SimpleCommand, verb: string): GuardMatch {
  const what = verb.startsWith('holdpoint') ? verb : `holdpoint ${verb}`
  const detail = { effect: `runs ${what}`, via: [...command.via], at: [command.start, command.end] }
  return { caught: `runs \`${what}\`, which only the user may run`, fragment: command.fragment, detail }
}

const PACKAGE_MANAGERS = wordSet('npm pnpm yarn bun volta brew apt apt-get dnf pacman')
const REMOVES = /^(?:uninstall|remove|rm|un|unlink|r|purge|-R\w*)$/

function removalCatch(command: SimpleCommand): GuardMatch | null {
  if (!PACKAGE_MANAGERS.has(command.name ?? '')) return null
  const words = command.args.map((word) => exactText(word) ?? '')
  if (!words.some((word) => REMOVES.test(word)) || !words.some((word) => /^holdpoint(?:@|$)/.test(word)))
    return null
  return { caught: 'removes Holdpoint from the machine', fragment: command.fragment }
}

const PLUGIN_OPTIONS = ['s|scope=', 'a|all', 'y|yes', 'json', 'keep-data', 'prune', 'h|help'].join(' ')
const TAKES_OUT = new Set(['disable', 'uninstall', 'remove', 'rm'])

/** Claude Code's own command that disables or removes our plugin. */
function pluginCatch(command: SimpleCommand): GuardMatch | null {
  const program = launchedProgram(command)
  if (program?.name !== 'claude') return null
  const { operands, options } = readOptions(program.args, PLUGIN_OPTIONS)
  const [noun = '', ...words] = operands.map((word) => exactText(word) ?? word.source)
  if (!/^plugins?$/.test(noun) || options.some(({ name }) => name === 'help')) return null
  const [verb = '', ...names] = words[0] === 'marketplace' ? words.slice(1) : words
  const isAll = options.some(({ name }) => name === 'all')
  if (!TAKES_OUT.has(verb) || !(isAll || names.some((name) => /^holdpoint(?:@|$)/.test(name)))) return null
  return { caught: 'removes the Holdpoint plugin from Claude Code', fragment: command.fragment }
}
