import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { EventExample, Guard, GuardMatch } from '../../../../core/guard.ts'
import { wordSet } from '../../../../core/word-list.ts'
import { shellOf, unreadableMatch } from '../../../analysis/shell-of.ts'
import { ofKinds, UNREADABLE_COMMAND } from '../../../analysis/topics.ts'
import { changesIn, type FileChangeTarget } from './changes-in.ts'
import { emptiesFile, isAppended } from './emptied.ts'
import { HOME_CACHES, isLeftoverName, isOutputName } from './known-folders.ts'
import { belowHome, isInProject, isSystemTree, isTemporary } from './protected-paths.ts'
import { groundOf, runsOn } from './targets.ts'

/** A file outside the project is emptied, or one that is there is replaced by other content. */
export const overwriteOutside: Guard = {
  id: 'safety/files/overwrite-outside',
  title: 'Emptying or replacing a file outside the project',
  why: 'What was in the file is lost, and no repository brings it back.',
  instead:
    'write to a new file inside the project or below /tmp (such as `> /tmp/out.txt`), or ask the user.',
  on: ['PreToolUse'],
  match: 'Bash',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      ': > ~/thesis.docx',
      '> ~/notes.md',
      'true > ~/Documents/report.pdf',
      'echo -n > ~/notes.md',
      'printf "" > ../other/data.csv',
      'cat /dev/null > ~/notes.md',
      'cp /dev/null ~/Documents/a.txt',
      'truncate -s 0 ~/Documents/report.pdf',
      'truncate --size=0 /opt/app/data.db',
      'dd if=/dev/zero of=~/disk.img',
      'dd of=~/x if=/tmp/y',
      'tee ~/todo.txt < /dev/null',
      'install /dev/null ~/thesis.docx',
      'ln -sf /dev/null ~/thesis.docx',
      'sort -o ~/notes.txt /dev/null',
      'sed -i d ~/notes.md',
      "sed -i '1,$d' ~/notes.md",
      'sed -n -i /x/d ~/notes.md',
      "sed --in-place=.bak 's/.*//' ~/notes.md",
      "awk -i inplace '{}' ~/notes.md",
      "ex -c '%d|wq' ~/notes.md",
      "vim -es -c '%d' -c wq ~/notes.md",
      "ed ~/notes.md <<< $'1,$d\\nw'",
      'sponge ~/notes.md < /dev/null',
      there('echo x > ~/Documents/thesis.tex', '/home/dev/Documents/thesis.tex'),
      there('cp -f /tmp/x ~/photos/a.jpg', '/home/dev/photos/a.jpg'),
      there('mv /tmp/x ~/Documents/thesis.docx', '/home/dev/Documents/thesis.docx'),
      there('curl -o ~/thesis.docx https://example.com/x', '/home/dev/thesis.docx'),
      there(`python3 -c "open('/home/dev/thesis.docx', 'w')"`, '/home/dev/thesis.docx'),
      there('cat x > ../sibling/out.txt', '/srv/sibling/out.txt'),
    ],
    passes: [
      'echo x > ~/Documents/new.tex',
      'cp a.txt ~/photos/',
      ': > out.txt',
      '> dist/log.txt',
      'truncate -s 0 /tmp/x',
      'truncate -s 0 logs/app.log',
      'truncate -s 10M ~/disk.img',
      '> ~/app.log',
      'dd if=/dev/zero of=/tmp/disk.img bs=1M count=1',
      'dd if=~/disk.img of=copy.img',
      'npm test > ~/.cache/out.txt',
      there('echo x >> ~/notes.md', '/home/dev/notes.md'),
      there('printf x | tee -a ~/notes.md', '/home/dev/notes.md'),
      there('npm test > ~/out.log 2>&1', '/home/dev/out.log'),
      there('cat ~/notes.md > notes.md', '/home/dev/notes.md'),
      there("sed -i 's/a/b/' ~/notes.md", '/home/dev/notes.md'),
      "sed -i '/^#/d' ~/notes.md",
      'sed -i 3d ~/notes.md',
      "sed -i -n '/x/p' ~/notes.md",
      'sed d ~/notes.md',
      'sed -i d notes.md',
      "vim -es -c '%s/a/b/' -c wq ~/notes.md",
      "awk -i inplace '{print $1}' ~/notes.md",
      'echo ": > ~/thesis.docx"',
      'docker exec web sh -c ": > /data/x"',
    ],
  },
  topics: [UNREADABLE_COMMAND, ofKinds('write')],
  concerns: (event, facts) => !shellOf(event, facts).judged || outsideIn(event, facts).length > 0,
  check({ event, facts }) {
    const analysis = shellOf(event, facts)
    if (!analysis.judged)
      return unreadableMatch(
        event,
        analysis.why,
        /^(?=.*(?:>|\btruncate\b|\bdd\b))(?=.*~\/)/s,
        'may empty a file',
      )
    const outside = outsideIn(event, facts)
    const emptied = outside.find(({ change }) => emptiesFile(change.command, event))
    if (emptied !== undefined) return emptied.change.caught(`empties ${emptied.path}`, undefined)
    return outside.length === 0 ? null : firstReplaced(outside.slice(0, LOOKED_AT_MAX), facts)
  },
}

const LOOKED_AT_MAX = 8

interface Outside {
  readonly change: FileChangeTarget
  readonly path: string
}

async function firstReplaced(outside: readonly Outside[], facts: Facts): Promise<GuardMatch | null> {
  for (const { change, path } of outside) {
    const info = await facts.stat(path)
    if (info?.kind === 'file' && info.sizeBytes > 0)
      return change.caught(`replaces what is in ${path}`, undefined)
  }
  return null
}

/** Programs that put something else in the place of what a file held; others are meant to change it. */
const REPLACERS = wordSet(`
  cp mv install tee dd curl wget sort ln truncate rsync scp ditto python python3 node perl ruby php cat echo printf
`)

function outsideIn(event: Event, facts: Facts): readonly Outside[] {
  return changesIn(event, facts).flatMap((change): readonly Outside[] => {
    const { command, recursive, targets } = change
    if (command === undefined || recursive || runsOn(command) !== 'here' || command.remote !== undefined)
      return []
    const redirects = command.redirections.some(({ operator }) => /^&?>\|?$/.test(operator))
    const replaces = redirects || REPLACERS.has(command.name ?? '') || emptiesFile(command, event)
    if (isAppended(command) || !replaces) return []
    const ground = groundOf(facts, command)
    return targets.flatMap(({ paths, pattern, unsure }) => {
      const path = pattern.length > 0 || unsure !== undefined ? undefined : paths.at(-1)
      return path === undefined || isFree(path, ground) ? [] : [{ change, path }]
    })
  })
}

/** Made by this task or by tools that make it again; or watched by another guard. */
function isFree(path: string, ground: ReturnType<typeof groundOf>): boolean {
  if (isInProject(path, ground) || isTemporary(path, ground) || isSystemTree(path)) return true
  const inHome = belowHome(path, ground)
  if (inHome !== undefined && HOME_CACHES.test(inHome)) return true
  const parts = path.split('/').slice(1)
  return (
    isLeftoverName(parts.at(-1) ?? '') || /\.(?:out|err)$/.test(path) || parts.slice(2, -1).some(isOutputName)
  )
}

function there(command: string, path: string): EventExample {
  return {
    kind: 'PreToolUse',
    fields: { tool: { name: 'Bash', input: { command } } },
    files: { [path]: 'what somebody wrote' },
  }
}
