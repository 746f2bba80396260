import type { Event } from '../../../event.ts'
import type { Facts } from '../../../facts.ts'
import type { SimpleCommand } from '../../../shell/command.ts'
import { exactForm, exactText } from '../../../shell/words.ts'
import { type Change, caughtChange, changedPaths } from '../../changed-paths.ts'
import type { Caught, GuardInput } from '../../guard.ts'
import { commandsOf, look, shellGuard } from '../../shell-guard.ts'
import { isTemporary } from './loading-values.ts'

/** Another program under the name of one that everybody trusts. */
export const shadowProgram = shellGuard({
  id: 'safety/shell/shadow-program',
  title: 'Putting a program in the place of a known one',
  why: 'Whoever types the known name, a script included, then runs something else without noticing.',
  instead:
    'give it a name of its own (`ln -s /opt/tool/bin/tool ~/.local/bin/tool`), or call it by its path.',
  match: 'Bash|Write|Edit|MultiEdit|NotebookEdit|apply_patch',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'hash -p /tmp/x git; git status',
      'hash -p /dev/shm/x sudo',
      'enable -f /tmp/x.so y',
      'enable -f ./x.so ls',
      'ln -s /tmp/x /usr/local/bin/git',
      'ln -sf /tmp/tool ~/.local/bin/tool',
      'cp x ~/bin/sudo',
      'cp x /usr/local/bin/ls',
      'install -m 755 x /usr/local/bin/ssh',
      "printf '#!/bin/sh\\n./x\\n' > ~/.local/bin/git && chmod +x ~/.local/bin/git",
      'mv x /usr/local/sbin/passwd',
      'cd /usr/local/bin && cp /srv/project/x sudo',
      { tool: 'Write', input: { file_path: '/home/dev/.local/bin/git', content: 'x' } },
    ],
    passes: [
      'ln -s /opt/tool/bin/tool ~/.local/bin/tool',
      'ln -s /usr/bin/python3 /usr/local/bin/python',
      'cp build/tool /usr/local/bin/tool',
      'curl -Lo /usr/local/bin/kubectl https://example.com/kubectl',
      'install -m 755 kubectl /usr/local/bin/',
      'cp git scripts/bin/git',
      'ls -la /usr/local/bin/git',
      'hash -r',
      'hash git',
      'hash -p /usr/bin/git git',
      'enable -n test',
      'enable',
      'rm -f ~/.local/bin/git',
      'cat ~/.local/bin/git',
      'which git',
      { tool: 'Write', input: { file_path: '/srv/project/bin/git', content: 'x' } },
    ],
  },
  mentions: /\bhash\s+-p\b|\benable\s+-f\b/,
  maybe: 'may replace a known program',
  looks: [
    look(commandsOf(new Set(['hash', 'enable'])), byBuiltin),
    look(commandsOf(new Set(['ln'])), linkToTemporary),
    look(writtenPaths, judge),
  ],
})

/** `hash -p file name`, `enable -f library name`. */
function byBuiltin(command: SimpleCommand, { facts }: GuardInput): Caught | null {
  const words = command.args.map((word) => exactText(word) ?? '')
  const option = command.name === 'hash' ? '-p' : command.name === 'enable' ? '-f' : undefined
  const at = option === undefined ? -1 : words.findIndex((word) => word.startsWith(option))
  if (at < 0) return null
  const file = words[at] === option ? words[at + 1] : words[at]?.slice(2)
  const odd = isTemporary(file ?? '', { ...facts, cwd: command.cwd })
  if (command.name === 'hash' && !odd) return null
  return { caught: `takes ${file ?? 'a file'} for a program of the system`, fragment: command.fragment }
}

/** A link in a folder of programs that leads where anybody may write. */
function linkToTemporary(command: SimpleCommand, { facts }: GuardInput): Caught | null {
  const words = command.args.map((word) => exactText(word) ?? '').filter((word) => !word.startsWith('-'))
  const [from = '', to = ''] = words
  const place = { ...facts, cwd: command.cwd }
  if (!PROGRAM_FOLDER.test(`${to.replace(/^~(?=\/)/, facts.home)}/`) || !isTemporary(from, place)) return null
  return { caught: `makes ${to} a link to ${from}`, fragment: command.fragment }
}

const PROGRAM_FOLDER =
  /^(?:\/usr\/local\/s?bin|\/opt\/homebrew\/bin|\/(?:home|Users)\/[^/]+\/(?:\.local\/)?bin|\/root\/(?:\.local\/)?bin)\//

/** Programs that every system has, so that nobody needs to install one. */
const KNOWN =
  /\/(?:git|ls|cat|cp|mv|rm|sudo|su|doas|ssh|scp|sh|bash|zsh|ps|top|id|who|whoami|login|passwd|env|find|grep|sed|awk|curl|wget|tar|chmod|chown|kill|mount|ping|less|more|crontab|systemctl|gpg|ssh-agent)$/

/** What a command removes counts as changed too. */
function writtenPaths(event: Event, facts: Facts): readonly Change[] {
  const changes = changedPaths(event, facts)
  const gone = new Set(changes.filter((each) => each.does === 'deletes').map((each) => each.source))
  return changes.filter((each) => each.does === 'writes' && each.guessed !== true && !gone.has(each.source))
}

function judge(change: Change, { facts }: GuardInput): Caught | null {
  if (!change.path.anchored) return null
  const names = change.path.parts.map(exactForm)
  const path = `/${names.map((name) => name ?? '*').join('/')}`
  const inProject = path.startsWith(`${facts.project}/`)
  if (inProject || !PROGRAM_FOLDER.test(path) || !KNOWN.test(path)) return null
  return caughtChange(change, `puts another program in the place of a known one (${path})`)
}
