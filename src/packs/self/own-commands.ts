import type { SimpleCommand } from '../../shell/command.ts'
import { optionTable, readOptions } from '../../shell/options.ts'
import { exactText, type Word } from '../../shell/words.ts'
import type { Caught } from '../guard.ts'
import { commandsIn, look, shellGuard } from '../shell-guard.ts'
import { launched } from './launched.ts'

/** Holdpoint's own commands that loosen it, or that speak for an agent, are for people; the others only look. */
export const ownCommands = shellGuard({
  id: 'self/own-commands',
  title: 'Running a command that is for people',
  why: 'It decides what the agent may do, so only a person may run it.',
  instead: 'tell the person what you need; they can run it in a terminal of their own.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'holdpoint uninstall --yes',
      'holdpoint allow k3f9-2m7q --always',
      'holdpoint pause 10m',
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
      '~/.config/holdpoint/bin/holdpoint-hook claude-code < event.json',
      'npm uninstall -g holdpoint',
      'npm rm --global holdpoint',
      'pnpm remove -g holdpoint',
      'yarn global remove holdpoint',
      'bun remove holdpoint',
      'brew uninstall holdpoint',
    ],
    passes: [
      'holdpoint log --limit 5',
      'holdpoint explain --tool Bash',
      'holdpoint doctor',
      'holdpoint lint .claude/settings.json',
      'holdpoint test --tool Bash',
      'holdpoint check --jsonl',
      'holdpoint daemon status',
      'holdpoint daemon logs',
      'holdpoint trust --list',
      'holdpoint allow --list',
      'holdpoint pause --end',
      'holdpoint uninstall --help',
      'holdpoint help allow',
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
  looks: [look(commandsIn, (command) => ownCatch(command) ?? removalCatch(command))],
})

const FOR_PEOPLE = new Set([
  'init',
  'uninstall',
  'trust',
  'skill',
  'allow',
  'pause',
  'daemon',
  'adopt',
  'hook',
])
const OPTIONS = optionTable('home=', 'h|help', 'V|version', 'yes', 'json')
/** With these the command shows something, or only makes things stricter. */
const HARMLESS = /^--?(?:h|help|list|remove|revoke|end)$/
const LOOKS = new Set(['status', 'logs', 'help'])

function ownCatch(command: SimpleCommand): Caught | null {
  const program = launched(command)
  if (program?.name === 'holdpoint-hook') return caught(command, 'holdpoint-hook')
  if (program?.name !== 'holdpoint') return null
  const [verb, ...rest] = readOptions(program.args, OPTIONS, { stopAtOperand: true }).operands
  if (verb === undefined || rest.some((word) => HARMLESS.test(exactText(word) ?? ''))) return null
  const text = exactText(verb)
  if (text === undefined) {
    return {
      ...caught(command, verb.source),
      unsure: `which command ${verb.source} is, is known only at run time`,
    }
  }
  if (!FOR_PEOPLE.has(text) || (text === 'daemon' && looks(rest[0]))) return null
  return caught(command, text)
}

function looks(verb: Word | undefined): boolean {
  return LOOKS.has(exactText(verb) ?? '')
}

function caught(command: SimpleCommand, verb: string): Caught {
  const what = verb.startsWith('holdpoint') ? verb : `holdpoint ${verb}`
  const detail = { effect: `runs ${what}`, via: [...command.via], at: [command.start, command.end] }
  return { caught: `runs \`${what}\`, which only a person may`, fragment: command.fragment, detail }
}

const PACKAGE_MANAGERS = new Set([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'volta',
  'brew',
  'apt',
  'apt-get',
  'dnf',
  'pacman',
])
const REMOVES = /^(?:uninstall|remove|rm|un|unlink|r|purge|-R\w*)$/

function removalCatch(command: SimpleCommand): Caught | null {
  if (!PACKAGE_MANAGERS.has(command.name ?? '')) return null
  const words = command.args.map((word) => exactText(word) ?? '')
  if (!words.some((word) => REMOVES.test(word)) || !words.some((word) => /^holdpoint(?:@|$)/.test(word)))
    return null
  return { caught: 'removes Holdpoint from the machine', fragment: command.fragment }
}
