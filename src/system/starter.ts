import { readdirSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { basename, join } from 'node:path'
import { wordSet } from '../core/word-list.ts'
import { type Ancestor, agentAbove } from './ancestry.ts'
import { madeTerminal } from './platform/processes.ts'

/** Who started a process: an agent, a person in a terminal that only a person opens, or nobody knows. */
export type Starter =
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'person'; readonly terminal: string }
  | { readonly kind: 'unknown'; readonly why: string }

/**
 * A terminal that a program made (tmux, screen, script, a connection to this machine) looks like a person's from the
 * inside, and a process can leave the one that started it. So a person is here only if a terminal that people open is
 * above, with a shell in it that was not told what to run.
 */
export function starterOf(
  ancestors: readonly Ancestor[] | undefined,
  remoteHost: (pids: readonly number[]) => string | undefined = loggedInFrom,
): Starter {
  const agent = agentAbove(ancestors)
  if (ancestors === undefined || agent !== undefined)
    return { kind: 'agent', name: agent ?? 'a process that cannot be seen' }
  for (const [at, ancestor] of ancestors.entries()) {
    const name = basename(ancestor.rootsProgram ?? '')
    const way = wayOf(name, ancestor)
    if (way === undefined) continue
    const below = ancestors.slice(0, at).findLast(({ programs }) => !isDoor(programs))
    if (below === undefined || !isOpenShell(below.words))
      return { kind: 'unknown', why: `${name} was told what to run` }
    if (TERMINALS.has(name) && ancestor.environment.some((each) => LOADERS.test(each)))
      return { kind: 'unknown', why: `${name} was started with code of somebody else` }
    if (!isItsTerminal(ancestor, below, ancestors[0]))
      return { kind: 'unknown', why: `another program than ${name} made it` }
    if (way !== 'ssh') return { kind: 'person', terminal: way }
    const host = remoteHost(ancestors.map(({ pid }) => pid))
    return host !== undefined && isElsewhere(host)
      ? { kind: 'person', terminal: `ssh from ${host}` }
      : { kind: 'unknown', why: 'this connection may come from this machine' }
  }
  const maker = ancestors.flatMap(({ programs }) => programs.map(plainName)).find((name) => MAKERS.has(name))
  return { kind: 'unknown', why: maker === undefined ? 'nothing shows who opened it' : `${maker} made it` }
}

/** Variables with which a program loads more than its own code. */
const LOADERS = /^(?:LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_\w+)=./

/** Only root's own process opens a session for somebody. */
function wayOf(name: string, { isRoot }: Ancestor): string | undefined {
  if (TERMINALS.has(name)) return name
  if (isRoot === false) return undefined
  return LOGINS.has(name) ? 'login' : SERVERS.has(name) ? 'ssh' : undefined
}

/** Whether this process is at the terminal that was opened there, and not at one that was made in between. */
function isItsTerminal({ made }: Ancestor, below: Ancestor, own: Ancestor | undefined): boolean {
  const terminal = own?.terminal
  if (terminal === undefined) return true
  const index = madeTerminal(terminal)
  return (
    terminal !== 0 &&
    terminal === below.terminal &&
    // What is typed may come from another one.
    (own?.ends ?? []).every((end) => end === terminal) &&
    (made === undefined || (index !== undefined && made.includes(index)))
  )
}

/**
 * Programs that people open to get a terminal. Those of editors are missing, because an editor's own agent uses them,
 * and those that any program may tell what to type.
 */
const TERMINALS = wordSet(`
  Alacritty Ghostty Hyper Terminal WarpTerminal alacritty cool-retro-term deepin-terminal foot ghostty
  gnome-terminal-server iTerm2 kgx kitty konsole lxterminal mate-terminal ptyxis-agent qterminal rio rxvt st
  terminology tilix urxvt xfce4-terminal xterm yakuake
`)

/** The door of a console. On a Mac anybody can start it, so there the terminal above it counts. */
const LOGINS = wordSet(process.platform === 'linux' ? 'login' : '')
const SERVERS = wordSet('sshd sshd-session')

/** Programs that make terminals for others, to say which one it was. */
const MAKERS = wordSet(`
  at atd code cron crond cursor docker emacs expect mosh-server screen script sshd sshd-session systemd-run tmux unbuffer
  wezterm-gui zed zellij
`)

function plainName(word: string): string {
  return basename(word).replace(/:.*$/, '').trim()
}

/** What stands between a terminal and its shell. */
function isDoor(programs: readonly string[]): boolean {
  return programs.map(plainName).some((name) => SERVERS.has(name) || name === 'login')
}

/** A shell that waits for what is typed: `-bash`, `zsh -i`, but not `bash -c '…'` and no shell with a file. */
function isOpenShell([shell = '', ...options]: readonly string[]): boolean {
  return (
    /^-?(?:bash|dash|fish|ksh|mksh|nu|sh|zsh)$/.test(basename(shell)) &&
    options.every((option) => /^(?:-[il]+|--login|--interactive)$/.test(option))
  )
}

function isElsewhere(host: string): boolean {
  // A name could be a name of this machine.
  if (!/^(?:[\d.]+|[\da-f]*:[\da-f:.]*(?:%.*)?)$/i.test(host)) return false
  const address = host.replace(/^::ffff:/i, '').replace(/%.*$/, '')
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return !/^(?:127\.|0\.|::1?$)/.test(address) && own.every((each) => each.address !== address)
}

/** Where the login of one of these processes came from, in the words of files that only root writes. */
function loggedInFrom(pids: readonly number[]): string | undefined {
  return fromSessions(pids) ?? fromLogins(pids)
}

const SESSIONS = '/run/systemd/sessions'

function fromSessions(pids: readonly number[]): string | undefined {
  try {
    return readdirSync(SESSIONS)
      .map((name) => readFileSync(join(SESSIONS, name), 'utf8'))
      .filter((text) => pids.includes(Number(/^LEADER=(\d+)$/m.exec(text)?.[1])))
      .map((text) => /^REMOTE_HOST=(\S+)$/m.exec(text)?.[1])
      .find((host) => host !== undefined)
  } catch {
    return undefined
  }
}

/** A record of utmp(5) on a 64-bit machine. */
const RECORD_BYTES = 384
const USER_PROCESS = 7

function fromLogins(pids: readonly number[]): string | undefined {
  try {
    const bytes = readFileSync('/run/utmp')
    const records = Array.from({ length: Math.floor(bytes.length / RECORD_BYTES) }, (_, index) =>
      bytes.subarray(index * RECORD_BYTES, (index + 1) * RECORD_BYTES),
    )
    const own = records.find(
      (each) => each.readInt16LE(0) === USER_PROCESS && pids.includes(each.readInt32LE(4)),
    )
    return own?.toString('latin1', 76, 332).replace(/\0.*$/s, '') || undefined
  } catch {
    return undefined
  }
}
