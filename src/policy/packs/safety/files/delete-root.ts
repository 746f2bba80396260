import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { effectsAs } from '../../../../shell/effects.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText, isWhollyUnknown } from '../../../../shell/words/words.ts'
import { inCommand, ofKinds, UNKNOWN_PROGRAM } from '../../../analysis/topics.ts'
import { commandsIn, detector, onTopics, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { caughtDeletion, type Deletion, deletionsAmong, deletionsIn, selectedName } from './deletions-in.ts'
import { fileLoss, treeLoss } from './losses.ts'
import { runsOn } from './targets.ts'

/** Deletion of protected folders, and of single system files. Files inside the project are judged by other guards. */
export const deleteRoot = shellGuard({
  id: 'safety/files/delete-root',
  title: 'Recursive delete of a protected folder or system file',
  why: 'The deleted files cannot be restored: they are not in git and there is no undo.',
  instead:
    'delete only the folder you mean, by a path inside the project or below /tmp (for example `rm -rf ./dist`). Let the user delete anything else.',
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
      'npx rimraf ~',
      'rm /etc/shadow',
      'rm -f ~/.ssh/id_ed25519',
      'rm -rf /data',
      "rm -rf '$HOME'",
      'find . -delete -name "*.pyc"',
      'find . -name node_modules -prune -o -type f -delete',
      'rimraf /',
      'ssh host "rm -rf /"',
      'echo ok & rm -rf /',
      'rm -rf / "',
      'grm -rf ~',
      'gtimeout 5 grm -rf /',
      'find -x / -type f -delete',
      'git --work-tree=$HOME stash -u',
      'GIT_WORK_TREE=~ git stash --all',
      'git -c core.worktree=$HOME stash push -u',
      'git for-each-repo --config=x.y stash -u',
      "git submodule--helper foreach 'rm -rf ~'",
      "git send-email --to-cmd='rm -rf ~' x.patch",
      "git clone -c alias.x='!rm -rf ~' https://example.com/x.git y",
      'cd ~ && git init && git add -A && git stash',
      'GIT_WORK_TREE=$HOME; export GIT_WORK_TREE; git stash -u',
      'export GIT_WORK_TREE; GIT_WORK_TREE=$HOME; git stash -u',
      'declare -x GIT_WORK_TREE=$HOME; git stash -u',
      'set -a; GIT_WORK_TREE=$HOME; git stash -u',
      "GIT_WORK_TREE=$HOME sh -c 'git stash -u'",
      'tidy() { git stash -u; }; GIT_WORK_TREE=$HOME tidy',
      'export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.worktree GIT_CONFIG_VALUE_0=$HOME; git stash -u',
      "echo 'GIT_WORK_TREE=/home/dev' > x; set -a; . ./x; git stash -u",
      'ln -s ~ x; cd x && rm -rf *',
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
      'npx rimraf dist',
      'rm ~/.ssh/known_hosts.old',
      'find . \\( -name "*.pyc" -o -name "*.pyo" \\) -delete',
      'find . -type d -empty -delete',
      'rm -rf /var/lib/apt/lists/*',
      'rm -rf /usr/local/go && tar -C /usr/local -xzf go.tgz',
      'grm build/x.o',
      'git stash -u',
      'git -C packages stash',
      'git --work-tree=$HOME --git-dir=$HOME/.dotfiles stash list',
    ],
  },
  mentions: /\brm\b|\bfind\b|\brimraf\b|\bunlink\b|\bshred\b/,
  maybe: 'may delete a folder with everything in it',
  detectors: [detector(onTopics([ofKinds('delete'), inCommand(UNKNOWN_PROGRAM)], ownDeletions), judge)],
})

/** Files in a container that was created for this command were never on this machine. */
function ownDeletions(event: Event, facts: Facts): readonly Deletion[] {
  const deletions = [...deletionsIn(event, facts), ...byUnknownProgram(event, facts)]
  return deletions.filter(({ found }) => !isOwnContainer(found.command, commandsIn(event, facts)))
}

function judge(deletion: Deletion, { facts }: GuardInput): GuardMatch | null {
  const { effect, ground, targets, found } = deletion
  return strongest(targets, (target) => {
    const loss =
      effect.recursive === true || effect.narrowed === true
        ? treeLoss(target, ground)
        : fileLoss(target, ground)
    if (loss === undefined) return null
    if (effect.narrowed === true) {
      // Deleting part of the home folder or of the project is judged by other guards.
      if (!loss.system) return null
      const small =
        target.paths.some((path) => /^(\/private)?\/var(\/|$)/.test(path)) || isLitter(selectedName(effect))
      const doubt = small ? 'only part of it would be deleted' : undefined
      return caughtDeletion(deletion, `deletes parts of ${loss.what}`, loss.unsure ?? doubt, facts.home)
    }
    const inside = runsOn(found.command)
    if (inside === 'a container' && effect.recursive !== true) return null
    const doubt =
      inside === 'a container'
        ? 'it runs in a container, and the container may have files of this machine mounted'
        : undefined
    const verb = loss.unsure === undefined ? 'deletes' : 'may delete'
    return caughtDeletion(deletion, `${verb} ${loss.what}`, loss.unsure ?? doubt, facts.home)
  })
}

/** A container that is created for this command and has no folder of this machine mounted. */
function isOwnContainer(command: SimpleCommand, all: readonly SimpleCommand[]): boolean {
  if (!command.via.some((how) => /^(docker|podman|nerdctl) run\b/.test(how))) return false
  const starts = all.filter(({ name, start, end }) => {
    return /^(docker|podman|nerdctl)$/.test(name ?? '') && start <= command.start && end >= command.end
  })
  const words = starts.flatMap(({ args }) => args.map((word) => exactText(word) ?? ''))
  return (
    starts.length > 0 &&
    words.every(
      (word) =>
        word !== '' && !/^(-v|--volume|--mount|--volumes-from|--privileged|--pid|--device)/.test(word),
    )
  )
}

/** Files that programs leave in many folders. */
function isLitter(name: string): boolean {
  return ['.DS_Store', 'Thumbs.db', '__pycache__', '*.pyc', '*.swp', '*~'].includes(name)
}

/** `$TOOL -rf /`: the program is unknown, but the arguments are those of `rm`. */
function byUnknownProgram(event: Event, facts: Facts): readonly Deletion[] {
  const unknown = commandsIn(event, facts).filter(
    ({ name, word }) => name === undefined && word.forms.some(isWhollyUnknown),
  )
  const found = unknown.flatMap((command) =>
    effectsAs('rm', command, facts.home).map((effect) => ({
      effect: { ...effect, unsure: 'the program name is known only at run time' },
      command,
    })),
  )
  return deletionsAmong(found, facts).filter(({ effect, targets }) => {
    return effect.recursive === true && targets.every((target) => target.unsure === undefined)
  })
}
