import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { holdpointProgram } from '../installed.ts'
import type { Sandbox } from './command.ts'

/** Real shells at a terminal, as a user uses them: a line is typed, and Tab is pressed. */

export type ShellName = 'bash' | 'zsh' | 'fish'

export function hasShell(name: ShellName): boolean {
  return spawnSync(name, ['-c', 'exit 0'], { stdio: 'ignore' }).status === 0
}

export interface Tabbed {
  /** The line after Tab. */
  readonly line: string
  /** Everything that the terminal showed, including the candidates if there were several. */
  readonly screen: string
}

const LOAD: Readonly<Record<ShellName, string>> = {
  bash: 'source <(holdpoint completion bash)',
  zsh: 'source <(holdpoint completion zsh)',
  fish: 'holdpoint completion fish | source',
}

/** Installed as the script's own comment says: zsh loads it on demand. */
export const ZSH_INSTALLED = `
holdpoint completion zsh > $ZDOTDIR/_holdpoint
fpath=($ZDOTDIR $fpath)
compinit -u -D`

/** Ctrl-G prints the line and exits. Keys are read in order, so nothing has to be waited for. */
const RC: Readonly<Record<ShellName, (load: string) => string>> = {
  bash: (load) => `
PS1='READY> '
bind 'set show-all-if-ambiguous on'
bind 'set completion-query-items 0'
bind 'set page-completions off'
${load}
leave() { printf '\\n<<%s>>\\n' "$READLINE_LINE"; exit; }
bind -x '"\\C-g": leave'
`,
  zsh: (load) => `
PS1='READY> '
LISTMAX=10000
# By itself zsh takes a Tab for text when more keys are waiting.
zstyle ':completion:*' insert-tab false
autoload -Uz compinit && compinit -u -D
${load}
leave() { zle -I; print -r -- "<<$BUFFER>>"; exit }
zle -N leave
bindkey '^G' leave
`,
  fish: (load) => `
function fish_prompt; echo -n 'READY> '; end
function fish_greeting; end
${load}
bind \\cg 'echo; echo "<<"(commandline)">>"; exit'
`,
}

const PROGRAM = `
import fcntl, os, pty, signal, struct, sys, termios
folder, keys, shell = sys.argv[1], sys.argv[2].encode(), sys.argv[3:]
pid, tty = pty.fork()
if pid == 0:
    os.chdir(folder)
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 60, 200, 0, 0))
    os.execvp(shell[0], shell)
signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
signal.alarm(200)
text, typed = b'', False
while True:
    try: part = os.read(tty, 4096)
    except OSError: break
    if not part: break
    text += part
    if not typed and b'READY>' in text:
        typed = True
        os.write(tty, keys)
os.waitpid(pid, 0)
sys.stdout.buffer.write(text)
`

/** Types the line, presses Tab and reads the result. */
export async function pressTab(
  sandbox: Sandbox,
  shell: ShellName,
  line: string,
  load: string = LOAD[shell],
): Promise<Tabbed> {
  const { env, folder } = shellHome(sandbox)
  const rc = join(folder, '.zshrc')
  writeFileSync(rc, RC[shell](load))
  const words: Readonly<Record<ShellName, readonly string[]>> = {
    bash: ['bash', '--noprofile', '--rcfile', rc, '-i'],
    zsh: ['zsh', '-i'],
    fish: ['fish', '--no-config', '-i', '-C', `source ${rc}`],
  }
  const screen = await output(
    'python3',
    ['-c', PROGRAM, sandbox.project, `${line}\t\u0007`, ...words[shell]],
    env,
    sandbox.project,
  )
  const shown = screen.replaceAll(
    /\u001b(?:\[[0-9;?=>]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[=>])/g,
    '',
  )
  return { line: /<<(.*?)>>/s.exec(shown)?.[1] ?? `nothing: ${shown}`, screen: shown }
}

/** Runs a script in the shell, with the completion loaded. */
export function inShell(sandbox: Sandbox, shell: ShellName, script: string): Promise<string> {
  const { env } = shellHome(sandbox)
  return output(shell, ['-c', `${LOAD[shell]}\n${script}`], env, sandbox.project)
}

function shellHome(sandbox: Sandbox): {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
} {
  const folder = join(sandbox.folder, 'shell')
  mkdirSync(folder, { recursive: true })
  const env = {
    PATH: `${dirname(holdpointProgram())}:${process.env.PATH}`,
    HOME: folder,
    ZDOTDIR: folder,
    TERM: 'xterm',
    LC_ALL: 'C.UTF-8',
    HOLDPOINT_HOME: sandbox.home,
  }
  return { folder, env }
}

function output(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const parts: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part))
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(parts).toString()))
  })
}
