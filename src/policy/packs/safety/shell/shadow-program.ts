import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactForm, exactText } from '../../../../shell/words/words.ts'
import { caughtChange, changedPaths, type PathChange } from '../../../analysis/changed-paths.ts'
import { SURE_CHANGES } from '../../../analysis/topics.ts'
import { commandsOf, detector, onTopics, shellGuard } from '../../shell-guard.ts'
import { isTemporaryEntry } from './loading-values.ts'

/** Another program with the name of a well-known one. */
export const shadowProgram = shellGuard({
  id: 'safety/shell/shadow-program',
  title: 'Replacing a well-known program',
  why: 'Everyone who types the well-known name, and every script that uses it, then runs the other program without noticing.',
  instead: 'use a different name (`ln -s /opt/tool/bin/tool ~/.local/bin/tool`), or call it by its path.',
  match: '*',
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
  maybe: 'may replace a well-known program',
  detectors: [
    detector(commandsOf(new Set(['hash', 'enable'])), byBuiltin),
    detector(commandsOf(new Set(['ln'])), linkToTemporary),
    detector(onTopics([SURE_CHANGES], writtenPaths), judge),
  ],
})

/** `hash -p file name`, `enable -f library name`. */
function byBuiltin(command: SimpleCommand, { facts }: GuardInput): GuardMatch | null {
  const words = command.args.map((word) => exactText(word) ?? '')
  const option = command.name === 'hash' ? '-p' : command.name === 'enable' ? '-f' : undefined
  const at = option === undefined ? -1 : words.findIndex((word) => word.startsWith(option))
  if (at < 0) return null
  const file = words[at] === option ? words[at + 1] : words[at]?.slice(2)
  const odd = isTemporaryEntry(file ?? '', { ...facts, cwd: command.cwd })
  if (command.name === 'hash' && !odd) return null
  return { caught: `uses ${file ?? 'a file'} instead of a system program`, fragment: command.fragment }
}

/** A link in a program folder that points to a place where every user can write. */
function linkToTemporary(command: SimpleCommand, { facts }: GuardInput): GuardMatch | null {
  const words = command.args.map((word) => exactText(word) ?? '').filter((word) => !word.startsWith('-'))
  const [from = '', to = ''] = words
  const place = { ...facts, cwd: command.cwd }
  if (!PROGRAM_FOLDER.test(`${to.replace(/^~(?=\/)/, facts.home)}/`) || !isTemporaryEntry(from, place))
    return null
  return { caught: `makes ${to} a link to ${from}`, fragment: command.fragment }
}

const PROGRAM_FOLDER =
  /^(?:\/usr\/local\/s?bin|\/opt\/homebrew\/bin|\/(?:home|Users)\/[^/]+\/(?:\.local\/)?bin|\/root\/(?:\.local\/)?bin)\//

/** Programs that every system has, so there is no need to install one. */
const KNOWN =
  /\/(?:git|ls|cat|cp|mv|rm|sudo|su|doas|ssh|scp|sh|bash|zsh|ps|top|id|who|whoami|login|passwd|env|find|grep|sed|awk|curl|wget|tar|chmod|chown|kill|mount|ping|less|more|crontab|systemctl|gpg|ssh-agent)$/

/** Removing a file also counts as changing it. */
function writtenPaths(event: Event, facts: Facts): readonly PathChange[] {
  const changes = changedPaths(event, facts)
  const gone = new Set(changes.filter((each) => each.does === 'deletes').map((each) => each.source))
  return changes.filter((each) => each.does === 'writes' && each.guessed !== true && !gone.has(each.source))
}

function judge(change: PathChange, { facts }: GuardInput): GuardMatch | null {
  if (!change.path.anchored) return null
  const names = change.path.parts.map(exactForm)
  const path = `/${names.map((name) => name ?? '*').join('/')}`
  const inProject = path.startsWith(`${facts.project}/`)
  if (inProject || !PROGRAM_FOLDER.test(path) || !KNOWN.test(path)) return null
  return caughtChange(change, `replaces a well-known program (${path})`)
}
