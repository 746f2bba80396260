import type { Facts } from '../../../facts.ts'
import { isCommand, type SimpleCommand } from '../../../shell/command.ts'
import { type FindCall, readFind } from '../../../shell/find.ts'
import { isSet, optionTable, readOptions } from '../../../shell/options.ts'
import { baseName } from '../../../shell/paths.ts'
import { exactText, exactWord, type Word } from '../../../shell/words.ts'
import type { Caught, Guard } from '../../guard.ts'
import { shellOf, unreadable } from '../../shell-of.ts'
import { strongest } from '../../strongest.ts'
import { type Deletion, deletes } from './deletes.ts'

/** Recursive deletion of folders nobody means to lose. Single files, and folders inside the project, are not its business. */
export const deleteRoot: Guard = {
  id: 'safety/files/delete-root',
  title: 'Recursive delete of a root folder',
  why: 'It deletes files that no repository and no undo brings back.',
  instead:
    'delete the one folder that is meant, by a path inside the project or below /tmp (such as `rm -rf ./dist`); ask the person for anything else.',
  on: ['PreToolUse'],
  match: 'Bash',
  keywords: ['rm', 'find'],
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'rm -rf /',
      'rm -rf / --no-preserve-root',
      'rm -fr /*',
      'rm -r -f -- ~',
      'rm --recursive --force /etc',
      'rm --recurs ~/',
      'rm -rf "$HOME"',
      `rm -rf \${HOME}/*`,
      'rm -rf /home/dev',
      'rm -rf ~/Documents',
      'rm -rf /home/*',
      'rm -rf /et?',
      'rm -rf /usr/bin',
      'rm -rf /tmp',
      'rm -rf /tmp/../etc',
      'rm -rf ..',
      'rm -rf ../..',
      'rm -rf .',
      'rm -rf *',
      'rm -rf ./dist ./*',
      'rm -rf {/etc,/usr}',
      'cd / && rm -rf *',
      'cd .. && cd .. && rm -rf *',
      'rm -rf 2>/dev/null /',
      'X=-rf; rm $X /',
      `rm\${IFS}-rf\${IFS}/`,
      "$'\\x72m' -rf /",
      '\\rm -rf ~',
      'LC_ALL=C rm -rf ~',
      'f() { rm -rf "$1"; }; f /',
      'for d in dist /; do rm -rf "$d"; done',
      'echo / | xargs rm -rf',
      "echo 'rm -rf /' | sh",
      "cat <<'EOF' | sudo bash\nrm -rf ~\nEOF",
      'rm -rf "$DIR"',
      'rm -rf /tmp/$NAME',
      'cd "$DIR" && rm -rf *',
      'find / -delete',
      'find ~ -exec rm {} +',
      'find . -type f -delete',
      'find . -print0 | xargs -0 rm -rf',
      'ssh host "rm -rf /"',
      'echo ok & rm -rf /',
      'rm -rf / "',
    ],
    passes: [
      'rm -rf dist',
      'rm -rf ./node_modules ./coverage/*',
      'rm -rf /srv/project/build',
      'rm -rf /tmp/build-cache',
      'rm -rf "$TMPDIR/holdpoint-test"',
      'rm -rf "$(mktemp -d)"',
      'rm -rf "$BUILD/coverage"',
      'rm -rf src/$NAME',
      'cd /tmp && rm -rf my-clone',
      'cd build && rm -rf *',
      'rm -rf *.log',
      'rm -f notes.txt',
      'rm /tmp/a.txt ~/a.txt',
      'rm -rf / --help',
      'rm -rf ~/.cache/holdpoint',
      'find . -name "*.pyc" -delete',
      'find . -name node_modules -type d -exec rm -rf {} +',
      "find . -name '__pycache__' | xargs rm -rf",
      'find / -name "*.conf"',
      'echo rm -rf /',
      'git commit -m "docs: rm -rf / is denied"',
      'grep -rn "rm -rf /" docs',
      'ls -la # rm -rf /',
      "cat > cleanup.md <<'EOF'\nrm -rf /\nEOF",
      'git rm -r --cached .',
      'docker rm -f web',
    ],
  },
  check({ event, facts }) {
    const analysis = shellOf(event, facts)
    if (!analysis.judged)
      return unreadable(event, analysis.why, /\brm\b|\bfind\b/, 'may delete a folder with everything in it')
    return strongest(analysis.commands, (command) => judgeRm(command, facts) ?? judgeFind(command, facts))
  },
}

const RM = optionTable(
  ...[
    'r|R|recursive',
    'f|force',
    'd|dir',
    'v|verbose',
    'i',
    'I',
    'interactive=?',
    'one-file-system',
    'P',
    'W',
    'x',
  ],
  ...['preserve-root=?', 'no-preserve-root', 'help', 'version'],
)

function judgeRm(command: SimpleCommand, facts: Facts): Caught | null {
  const sure = isCommand(command, 'rm')
  if (sure === 'no') return null
  const read = readOptions(command.args, RM)
  const recursive = isSet(read, 'recursive')
  if (isSet(read, 'help') || isSet(read, 'version') || (!recursive && read.doubtful.length === 0)) return null
  return strongest(read.operands, (target) => {
    const deletion = deletes(target, command, facts)
    if (deletion === undefined) return null
    // Without -r in plain sight only a target that is protected for certain is worth a question.
    if (!recursive && deletion.unsure !== undefined) return null
    const doubt =
      sure === 'maybe' ? 'its name is known only at run time' : recursive ? undefined : doubtOf(read.doubtful)
    return caughtBy(deletion, command, doubt)
  })
}

function doubtOf(words: readonly Word[]): string {
  return `${words[0]?.source} may make it recursive`
}

function caughtBy(deletion: Deletion, command: SimpleCommand, doubt: string | undefined): Caught {
  const unsure = deletion.unsure ?? doubt
  return {
    caught: deletion.what,
    fragment: command.fragment,
    ...(unsure === undefined ? {} : { unsure }),
    detail: { via: [...command.via], ...(deletion.path === undefined ? {} : { path: deletion.path }) },
  }
}

const DELETERS = new Set(['rm', 'unlink', 'shred', 'rmdir'])

function judgeFind(command: SimpleCommand, facts: Facts): Caught | null {
  if (command.name !== 'find') return null
  const call = readFind(command.args)
  const deleting = call.actions.some((action) => {
    return action.name === '-delete' || DELETERS.has(baseName(exactText(action.words[0]) ?? ''))
  })
  if (!deleting) return null
  const narrow = isNarrow(call)
  return strongest(call.roots.length === 0 ? [exactWord('.')] : call.roots, (root) => {
    const deletion = deletes(root, command, facts)
    if (deletion === undefined) return null
    if (!narrow) return caughtBy(deletion, command, undefined)
    if (!deletion.system) return null
    return caughtBy(deletion, command, 'only part of it is selected')
  })
}

const NARROWS =
  /^-(i?name|i?path|i?wholename|i?regex|[amc](time|min)|a?newer\w*|size|empty|user|group|perm|inum|samefile|lname)$/

/** Some test keeps most of what is there out of it. */
function isNarrow(call: FindCall): boolean {
  if (call.hasAlternatives) return false
  return call.tests.some((test) => {
    return NARROWS.test(test.name) && !test.negated && !/^[*.?/]*$/.test(exactText(test.value) ?? 'x')
  })
}
