import { isCommand, type SimpleCommand } from '../../../shell/command.ts'
import { readGit } from '../../../shell/git.ts'
import {
  isSet,
  type Option,
  optionTable,
  type ReadOptions,
  readOptions,
  valuesOf,
} from '../../../shell/options.ts'
import { exactTexts, hasUnknown, isWhollyUnknown, type Word } from '../../../shell/words.ts'
import type { Caught, Guard } from '../../guard.ts'
import { shellOf, unreadable } from '../../shell-of.ts'
import { strongest } from '../../strongest.ts'

/** A lease protects only what `--force` and `+ref` leave to it: git lets both defeat it, and so both are caught. */
export const forcePush: Guard = {
  id: 'safety/git/force-push',
  title: 'Force push',
  why: 'It can remove commits from the shared repository that nobody else has a copy of.',
  instead:
    'push without force, or run `git push --force-with-lease`, which refuses when someone else has pushed; ask the person before deleting a remote branch.',
  on: ['PreToolUse'],
  match: 'Bash',
  keywords: ['push', 'send-pack'],
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'git push --force',
      'git push -f origin main',
      'git push -fu origin main',
      'git push --forc origin main',
      'git push origin +main',
      'git push --force-with-lease origin +main',
      'git push --force-with-lease --force origin main',
      'git push --mirror backup',
      'git push --delete origin feature',
      'git push origin :feature',
      'git push origin feature 2>/dev/null --force',
      'git -C ../other -c push.default=current push -f',
      '/usr/bin/git push --force',
      'GIT_SSH_COMMAND="ssh -v" git push --force',
      'g""it pu\\sh "--for"ce',
      'FLAG=--force; git push $FLAG',
      'git push $FLAGS',
      'git $(echo push) -f origin main',
      'git send-pack --force origin main',
      'git push origin main; git push origin --force',
    ],
    passes: [
      'git push',
      'git push -u origin feature/force-field',
      'git push -u origin "$(git branch --show-current)"',
      'git push --force-with-lease origin feature',
      'git push --force-with-lease --force-if-includes',
      'git push --dry-run --force origin main',
      'git push -nf origin main',
      'git push --force --no-force origin main',
      'git push --follow-tags origin HEAD:main',
      'git push --repo --force',
      'git push origin -- --force',
      'git commit -m "explain why git push --force is denied"',
      'echo git push --force',
      'grep -rn "git push -f" docs',
      'git log --grep="push --force"',
      'ls # git push --force',
      "cat > notes.md <<'EOF'\nnever run git push --force\nEOF",
      'git fetch --force origin',
    ],
  },
  check({ event, facts }) {
    const analysis = shellOf(event, facts)
    if (!analysis.judged) return unreadable(event, analysis.why, /push|send-pack/i, ACT)
    return strongest(analysis.commands, (command) => judge(command, facts.home))
  },
}

const ACT = 'may overwrite or delete branches on the remote'

const PUSH = optionTable(
  ...[
    'repo=',
    'receive-pack=',
    'exec=',
    'recurse-submodules=',
    'o|push-option=',
    'force-with-lease=?',
    'signed=?',
  ],
  ...['f|force', 'force-if-includes', 'n|dry-run', 'd|delete', 'mirror', 'prune', 'all', 'branches', 'tags'],
  ...[
    'follow-tags',
    'u|set-upstream',
    'v|verbose',
    'q|quiet',
    'porcelain',
    'progress',
    'thin',
    'atomic',
    'verify',
  ],
  ...['4|ipv4', '6|ipv6', 'help', 'stdin', 'helper-status', 'stateless-rpc'],
)

const ACTS: readonly (readonly [string, string])[] = [
  ['force', 'overwrites what is on the remote, whoever pushed it'],
  ['mirror', 'makes the remote a mirror and deletes what is missing here'],
  ['delete', 'deletes a branch or tag on the remote'],
  ['prune', 'deletes remote branches that have no local counterpart'],
]

function judge(command: SimpleCommand, home: string): Caught | null {
  const sure = isCommand(command, 'git')
  if (sure === 'no') return null
  const call = readGit(command.args, { cwd: command.cwd, home })
  if (call.verb === undefined) return null
  const { fragment } = command
  const verbKnown = exactTexts(call.verb).some((verb) => verb === 'push' || verb === 'send-pack')
  if (!verbKnown) {
    const open = sure === 'yes' && call.verb.forms.some(isWhollyUnknown)
    return open
      ? { caught: ACT, fragment, unsure: `the git command ${call.verb.source} is known only at run time` }
      : null
  }
  const read = readOptions(call.args, PUSH)
  if (isSet(read, 'dry-run') || isSet(read, 'help')) return null
  const act = actOf(read)
  if (act !== undefined) {
    return sure === 'yes'
      ? { caught: act, fragment }
      : { caught: act, fragment, unsure: 'its name is known only at run time' }
  }
  if (read.options.some(isCutForce))
    return { caught: ACT, fragment, unsure: 'some versions of git take it for --force' }
  const doubt = sure === 'yes' ? doubtful(read) : undefined
  return doubt === undefined
    ? null
    : { caught: ACT, fragment, unsure: `${doubt.source} is known only at run time` }
}

function actOf(read: ReadOptions): string | undefined {
  const option = ACTS.find(([name]) => isSet(read, name))
  if (option !== undefined) return option[1]
  const refs = valuesOf(read, 'repo').length > 0 ? read.operands : read.operands.slice(1)
  const starts = refs.flatMap((ref) =>
    ref.forms.map((form) => (form[0]?.kind === 'text' ? form[0].text : '')),
  )
  if (starts.some((text) => text.startsWith('+')))
    return 'overwrites a branch on the remote, even against a lease'
  if (starts.some((text) => /^:./.test(text))) return 'deletes a branch or tag on the remote'
  return undefined
}

/** `--forc`: ambiguous to a git that knows leases, `--force` to one that does not. */
function isCutForce(option: Option): boolean {
  return !option.listed && option.name.length > 1 && 'force'.startsWith(option.name)
}

/** A word that may turn out to be `--force` or `+branch`. */
function doubtful(read: ReadOptions): Word | undefined {
  const opens = (word: Word): boolean => word.forms.some((form) => form[0]?.kind === 'unknown')
  const halfOption = (word: Word): boolean => {
    return word.forms.some(
      (form) => hasUnknown(form) && form[0]?.kind === 'text' && form[0].text.startsWith('-'),
    )
  }
  return read.doubtful[0] ?? read.operands.find((word) => opens(word) || halfOption(word))
}
