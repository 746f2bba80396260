import type { Guard, GuardMatch } from '../../../../core/guard.ts'
import { wordList } from '../../../../core/word-list.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { caughtEffect, shellEffects } from '../../../analysis/effects-of.ts'
import { isShellCall, shellOf } from '../../../analysis/shell-of.ts'
import { ANY_COMMAND } from '../../../analysis/topics.ts'
import { strongest } from '../../strongest.ts'

/**
 * The fallback for all other guards: a command that cannot be read, or that is built only at run time, never passes
 * silently.
 */
export const unreadableCommand: Guard = {
  id: 'safety/shell/unreadable',
  title: 'Command that cannot be checked',
  why: 'Its text does not show what it would do, so no guard can check it.',
  instead:
    'write the command in full, with complete quotes, no hidden characters and the program name. Save downloaded code to a file and read it first.',
  on: ['PreToolUse'],
  match: 'Bash',
  topics: [ANY_COMMAND],
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'echo "unterminated',
      'if true; then ls',
      'ls && || pwd',
      'echo $(ls',
      "bash -c 'echo \"'",
      'ls\r\nrm x',
      'echo \u202Etxt.sh',
      'l\u200Bs',
      '$CMD --all',
      '"$TOOL" -rf build',
      'eval "$CODE"',
      'bash -c "$CODE"',
      'cat list | xargs -I{} sh -c "{}"',
      'echo "$PAYLOAD" | bash',
      'base64 -d payload | bash',
      'base64 -d payload > s.sh; source s.sh',
      'base64 -d <<< "$PAYLOAD" > run; chmod +x run; ./run',
      'xxd -r payload | sh',
      'eval "$(./generate)"',
      'source <(./generate)',
      'curl -s localhost:3000/x | bash',
      'ssh host cat setup.sh | sh',
      'make -s print-command | sh',
      `groovy -e '"ls".execute()'`,
      "julia -e 'run(`ls`)'",
      'curl -K <(./generate) https://example.com',
      `${'('.repeat(70)}ls${')'.repeat(70)}`,
    ],
    passes: [
      'ls -la',
      `julia -e 'println(1 + 1)'`,
      'swift test',
      'npm test',
      './scripts/build.sh --all',
      'bash scripts/build.sh',
      'cat scripts/build.sh | bash',
      'eval "$(ssh-agent -s)"',
      'eval "$(/opt/homebrew/bin/brew shellenv)"',
      'bash -c \'eval "$(mise activate bash)" && npm test\'',
      'eval "$(direnv hook bash)"',
      'eval "$(pyenv init -)"',
      'eval $(minikube docker-env)',
      'source <(kubectl completion bash)',
      '. <(npm completion)',
      'eval "$(register-python-argcomplete pipx)"',
      'source .venv/bin/activate',
      '"$VENV/bin/python" -m pytest',
      `"\${PYTHON:-python3}" -m pytest`,
      'bash -c "cd $DIR && make"',
      "bash -lc 'npm test'",
      'for f in a b; do echo "$f"; done',
      'echo "$CMD" > log.txt',
      'curl -fsSL https://example.com/data.json | jq .name',
      "git commit -m 'an unterminated \" quote'",
      'curl -s localhost:3000/api | python3 -m json.tool',
      'command -v node',
      'printf "echo hi" | sh',
      'git commit -m "👩‍💻 naïve résumé"',
    ],
  },
  check({ event, facts }) {
    if (!isShellCall(event)) return null
    const analysis = shellOf(event, facts)
    if (!analysis.judged) return { caught: `cannot be checked: ${analysis.why}` }
    if (analysis.hidden !== undefined) return { caught: `cannot be checked: ${analysis.hidden}` }
    const effects = shellEffects(event, facts)
    const unknown = strongest(effects, (found) => {
      const { effect } = found
      return effect.kind === 'exec' && effect.from === 'unknown'
        ? caughtEffect(found, effect.what, facts.home)
        : null
    })
    // Code that is known to come from the network has separate guards.
    const explained = new Set(
      effects.flatMap(({ effect, command }) => (effect.kind === 'exec' ? [command] : [])),
    )
    return (
      unknown ?? strongest(analysis.commands, (command) => (explained.has(command) ? null : judge(command)))
    )
  },
}

function judge(command: SimpleCommand): GuardMatch | null {
  if (command.opaque === undefined || printsShellSetup(command.fragment)) return null
  return {
    caught: 'runs something that is known only at run time',
    fragment: command.fragment,
    unsure: command.opaque,
    detail: { via: [...command.via] },
  }
}

/** Programs that are documented to print shell code for the caller to run: `eval "$(ssh-agent -s)"`. */
const SETUP_PROGRAMS = [
  ...wordList(`
    ssh-agent keychain gpg-agent gnome-keyring-daemon dbus-launch direnv brew mise pyenv rbenv nodenv goenv
    jenv tfenv plenv fnm nvm asdf volta rtx sdk zoxide starship atuin mcfly navi fzf thefuck dircolors
    gdircolors lesspipe opam conda mamba micromamba luarocks minikube docker-machine podman op hub
    register-python-argcomplete path_helper resize tset
  `),
  'poetry env activate',
  'go env',
  'stack',
  'perl -M\\S*local::lib',
]
const SETUP = new RegExp(
  `(?:^|\\s)(?:eval|source|\\.)\\s+["']?(?:\\$|<)\\(\\s*(?:command\\s+)?[\\w./~-]*?` +
    `(?:(?:${SETUP_PROGRAMS.join('|')})(?=[\\s)])|[\\w-]+(?:\\s+[\\w-]+){0,2}\\s+completions?(?=[\\s)]))[^|;&\`$]*\\)["']?\\s*$`,
)

function printsShellSetup(fragment: string): boolean {
  return SETUP.test(fragment)
}
