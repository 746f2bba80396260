import type { PathForm } from '../../../shell/words/paths.ts'
import { mayMatchName } from '../../../shell/words/patterns.ts'
import { exactForm, type Form, hasUnknown, isWhollyUnknown } from '../../../shell/words/words.ts'
import type { PathMatch } from '../../analysis/path-list.ts'
import { touchedPaths } from '../../analysis/touched-paths.ts'
import { detector, shellGuard } from '../shell-guard.ts'
import { guardedFrom } from './guarded-path.ts'

/** The key that signs pauses, exceptions and trust: an agent that reads it could sign in the user's name. */
export const signingKey = shellGuard({
  id: 'self/signing-key',
  title: "Reading the user's signing key",
  why: 'A program that has this key can pause the guards and trust code in the name of the user.',
  instead: 'nothing you do needs this key; let the user run the command they sign with it.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  mentions: /(?:person|cache)\.key|http\.json/,
  maybe: 'may read the signing key of the user',
  match: '*',
  examples: {
    stops: [
      { tool: 'Read', input: { file_path: '/home/dev/.config/holdpoint/person.key' } },
      { tool: 'mcp__fs__read_file', input: { path: '/home/dev/.config/holdpoint/person.key' } },
      { tool: 'Grep', input: { pattern: 'key', path: '/home/dev/.config/holdpoint/person.key' } },
      { tool: 'Read', input: { file_path: '/home/dev/.config/holdpoint/http.json' } },
      'cat ~/.config/holdpoint/person.key',
      'cd ~/.config/holdpoint && base64 person.key',
      'cp ~/.config/holdpoint/person.key /tmp/x',
      'jq -r .key ~/.config/holdpoint/person.*',
      'cp -r ~/.config/holdpoint /tmp/x',
      'tar czf /tmp/x.tgz ~/.config/holdpoint',
      'grep -r . ~/.config/holdpoint',
      `node -e "console.log(require('fs').readFileSync('/home/dev/.config/holdpoint/person.key','utf8'))"`,
      'cat ~/.config/holdpoint/http.json',
      'xxd ~/.config/holdpoint/cache.key',
    ],
    passes: [
      { tool: 'Read', input: { file_path: '/home/dev/.config/holdpoint/person.pub' } },
      { tool: 'Read', input: { file_path: '/srv/project/http.json' } },
      'cat ~/.config/holdpoint/config.yaml',
      'ls -la ~/.config/holdpoint',
      'stat ~/.config/holdpoint/person.key',
      'tail ~/.config/holdpoint/run/daemon.log',
      'cat http.json',
      'git commit -m "protect person.key"',
      'cat ~/.config/nvim/person.key',
    ],
  },
  detectors: [
    detector(touchedPaths, (touch, { facts, options }) => {
      if (touch.access !== 'read') return null
      const { home } = guardedFrom(options, facts.home)
      const match = keyMatch(touch.path, home)
      if (match === 'no') return null
      const unsure = touch.unsure ?? (match === 'maybe' ? `${touch.source} may or may not be it` : undefined)
      const caught = `reads ${touch.source}`
      return { caught, fragment: touch.fragment, ...(unsure === undefined ? {} : { unsure }) }
    }),
  ],
})

/** The key itself, the one that marks cached plans, the secrets of the HTTP port, and the folder where all of it is read. */
const FILES = ['person.key', 'cache.key', 'http.json']

function keyMatch({ anchored, parts, text }: PathForm, home: string): PathMatch {
  const folder = home.split('/').filter((name) => name !== '')
  // Nearly every path: known, and neither the folder nor in it.
  if (anchored && text !== undefined && !text.startsWith(`/${folder.join('/')}`)) return 'no'
  if (!anchored) return exactForm(parts.at(-1) ?? []) === 'person.key' ? 'maybe' : 'no'
  const matches = [folder, ...FILES.map((name) => [...folder, name])].map((names) => fits(parts, names))
  return matches.includes('yes') ? 'yes' : matches.includes('maybe') ? 'maybe' : 'no'
}

function fits(parts: readonly Form[], names: readonly string[]): PathMatch {
  if (parts.length !== names.length || parts.every(isWhollyUnknown)) return 'no'
  const isSame = parts.every((part, at) => mayMatchName(part, names[at] ?? ''))
  if (!isSame) return 'no'
  return parts.some(hasUnknown) ? 'maybe' : 'yes'
}
