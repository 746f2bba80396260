import type { Event } from '../../event.ts'
import type { Facts } from '../../facts.ts'
import type { SimpleCommand } from '../../shell/command.ts'
import { resolveForm } from '../../shell/paths.ts'
import { exactText } from '../../shell/words.ts'
import { commandTouches } from '../command-touches.ts'
import type { Caught, Guard } from '../guard.ts'
import { isShellCall, shellOf, unreadable } from '../shell-of.ts'
import { strongest } from '../strongest.ts'
import { touchedPaths } from '../touched-paths.ts'
import { type Guarded, guardedFrom, isGuarded } from './guarded-path.ts'

/** An agent that may edit its own hooks has none: agents read their settings anew while they run. */
export const agentConfig: Guard = {
  id: 'self/agent-config',
  title: 'Changing the guard itself',
  why: 'The hook configuration decides what the agent may do, so only a person may change it.',
  instead: 'describe the change you need and ask the person to make it.',
  on: ['PreToolUse'],
  match: 'Bash|Write|Edit|MultiEdit|NotebookEdit|apply_patch',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      { tool: 'Write', input: { file_path: '/srv/project/.claude/settings.json', content: '{}' } },
      { tool: 'Edit', input: { file_path: '.claude/settings.local.json', old_string: 'a', new_string: 'b' } },
      {
        tool: 'Edit',
        input: { file_path: '/home/dev/.claude/settings.json', old_string: 'a', new_string: 'b' },
      },
      { tool: 'Write', input: { file_path: '/home/dev/.codex/hooks.json', content: '{}' } },
      { tool: 'Write', input: { file_path: '.holdpoint/config.yaml', content: 'version: 1' } },
      {
        tool: 'apply_patch',
        input: { command: '*** Begin Patch\n*** Delete File: .codex/hooks.json\n*** End Patch' },
      },
      "echo '{}' > .claude/settings.json",
      'rm -f .claude/settings.local.json',
      'rm -rf .claude',
      'mv .claude /tmp/away',
      'mv ~/.codex/hooks.json /tmp/x',
      'cp /tmp/evil.json .claude/settings.json',
      "sed -i 's/holdpoint//' .claude/settings.json",
      'jq . x.json | tee ~/.claude/settings.json',
      'chmod 000 .claude/settings.json',
      'cd .claude && truncate -s 0 settings.json',
      'git checkout HEAD -- .claude/settings.json',
      'ln -sf /dev/null .holdpoint/config.yaml',
      'node fix.js .claude/settings.json',
      'holdpoint uninstall --yes',
      'npx holdpoint trust --yes',
      'npx --yes holdpoint@latest init --pack safety --yes',
      'node node_modules/holdpoint/dist/holdpoint.cjs skill end mux --session 1',
    ],
    passes: [
      { tool: 'Write', input: { file_path: '.claude/agents/writer.md', content: 'x' } },
      { tool: 'Edit', input: { file_path: 'src/settings.json', old_string: 'a', new_string: 'b' } },
      { tool: 'Write', input: { file_path: 'docs/hooks.md', content: 'edit .claude/settings.json' } },
      'cat .claude/settings.json',
      'jq .hooks .claude/settings.json',
      'ls -la .claude',
      'grep -n hooks ~/.claude/settings.json',
      'diff .claude/settings.json .claude/settings.local.json',
      'cp .claude/settings.json /tmp/copy.json',
      'git diff .claude/settings.json',
      'git commit -m "explain rm -rf .claude"',
      'echo .claude/settings.json',
      'rm -rf node_modules',
      'touch settings.json',
      'holdpoint log --limit 5',
      'npx holdpoint explain --tool Bash',
      'holdpoint doctor',
      'npm install holdpoint',
      'git clone https://example.com/holdpoint uninstall',
    ],
  },
  check({ event, facts, options }) {
    const guarded = guardedFrom(options)
    const analysis = shellOf(event, facts)
    if (!analysis.judged) return unreadable(event, analysis.why, MENTIONS, 'may change the guard itself')
    if (!isShellCall(event)) return toolCatch(event, facts, guarded)
    return strongest(
      analysis.commands,
      (command) => ownCommandCatch(command) ?? commandCatch(command, facts, guarded),
    )
  },
}

const MENTIONS = /\.claude|\.codex|\.holdpoint|holdpoint/

function toolCatch(event: Event, facts: Facts, guarded: Guarded): Caught | null {
  return strongest(touchedPaths(event, facts), (touch) => {
    if (touch.access !== 'write' || isGuarded(touch.path, guarded, false) === 'no') return null
    return { caught: `writes ${touch.source}`, fragment: touch.fragment }
  })
}

/** Holdpoint's own commands that loosen it are for people; the others only look. */
const FOR_PEOPLE = new Set(['init', 'uninstall', 'trust', 'skill', 'allow', 'pause', 'daemon', 'adopt'])

function ownCommandCatch(command: SimpleCommand): Caught | null {
  const words = [command.name ?? '', ...command.args.map((word) => exactText(word) ?? '')]
  const own = words.findIndex((word) => /(?:^|\/)holdpoint(?:\.cjs|@[\w.^~-]+)?$/.test(word))
  if (own < 0 || DATA.has(words[0] ?? '')) return null
  const verb = words.slice(own + 1).find((word) => !word.startsWith('-'))
  if (verb === undefined || !FOR_PEOPLE.has(verb)) return null
  return { caught: `runs \`holdpoint ${verb}\`, which only a person may`, fragment: command.fragment }
}

const DATA = new Set(['echo', 'printf', 'grep', 'rg', 'git', 'man', 'which', 'type', 'ls', 'cat'])

/** Only reading is harmless: a program nobody knows may write what it is given. */
const READERS = new Set([
  ...[
    'cat',
    'head',
    'tail',
    'less',
    'more',
    'bat',
    'wc',
    'ls',
    'stat',
    'file',
    'test',
    '[',
    'jq',
    'yq',
    'nl',
  ],
  ...['grep', 'egrep', 'fgrep', 'rg', 'ag', 'diff', 'cmp', 'md5sum', 'sha256sum', 'tree', 'du', 'find', 'cd'],
  ...[
    'pushd',
    'realpath',
    'readlink',
    'dirname',
    'basename',
    'sort',
    'uniq',
    'column',
    'xxd',
    'od',
    'hexdump',
  ],
])
/** These change what they name whatever the table of touches calls it. */
const CHANGERS = new Set([
  'mv',
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'truncate',
  'chmod',
  'chown',
  'chgrp',
  'chattr',
  'ln',
  'sed',
  'perl',
  'trash',
])
/** A folder goes with everything in it. */
const TAKES_FOLDERS = new Set(['mv', 'rm', 'rmdir', 'chmod', 'chown', 'chgrp', 'trash', 'rsync'])

function commandCatch(command: SimpleCommand, facts: Facts, guarded: Guarded): Caught | null {
  const name = command.name ?? ''
  return strongest(commandTouches(command, facts.home), (named): Caught | null => {
    const path = resolveForm(named.form, { cwd: named.cwd, home: facts.home })
    const match = isGuarded(path, guarded, TAKES_FOLDERS.has(name))
    if (match === 'no') return null
    const writes = named.access === 'write' || (CHANGERS.has(name) && !onlyReads(command))
    if (!writes && (READERS.has(name) || COPIES.has(name) || name === 'git' || onlyReads(command)))
      return null
    const catches: Caught = { caught: `changes ${named.source}`, fragment: command.fragment }
    if (match === 'maybe') return { ...catches, unsure: `${named.source} is not known before it runs` }
    return writes
      ? catches
      : { ...catches, unsure: `${name === '' ? 'the program' : name} may write what it is given` }
  })
}

/** What they take is read; what they write is told apart by the table of touches. */
const COPIES = new Set(['cp', 'install', 'rsync', 'scp', 'ditto', 'tee', 'dd', 'source', '.'])

/** `sed` and `perl` change files only when told to. */
function onlyReads(command: SimpleCommand): boolean {
  if (command.name !== 'sed' && command.name !== 'perl') return false
  return !command.args.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word.source))
}
