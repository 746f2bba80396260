import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { atTerminal } from '../../e2e/terminal.ts'
import { openTerminal, type TerminalSession } from '../../e2e/terminal-session.ts'

/** `holdpoint ui` of the installed package, at a terminal or without one. */
export interface Board extends TerminalSession {
  /** A link that was not used yet. */
  link(): Promise<string>
  /** Ends it without a chance to say goodbye. */
  kill(): void
  readonly origin: string
}

export interface BoardPlace {
  /** Holdpoint's folder. */
  readonly home: string
  readonly project: string
}

export const PIN = 'correct horse'

export interface BoardOptions {
  /** The PIN to type at the start; `look` presses Enter only. Missing: it is not asked. */
  readonly pin?: string | 'look'
  readonly args?: readonly string[]
}

/** Waits until the board runs. */
export async function startBoard(place: BoardPlace, { pin, args = [] }: BoardOptions = {}): Promise<Board> {
  const terminal = openTerminal(['ui', '--no-open', ...args], {
    cwd: place.project,
    env: { HOME: dirname(place.home), HOLDPOINT_HOME: place.home, NO_COLOR: '1' },
  })
  if (pin !== undefined) {
    await terminal.until(/Your PIN: $/)
    terminal.type(pin === 'look' ? '\r' : `${pin}\r`)
  }
  const [, origin = ''] = await terminal.until(/(http:\/\/127\.0\.0\.1:\d+)\/#open=[\w-]+\s/)
  let used = 0
  return {
    ...terminal,
    origin,
    kill: () => process.kill(Number(/\0pid (\d+)\0/.exec(terminal.text())?.[1]), 'SIGKILL'),
    async link() {
      const links = () => [...terminal.text().matchAll(/http:\/\/127\.0\.0\.1:\d+\/#open=[\w-]+(?=\s)/g)]
      if (used >= links().length) terminal.type('\r')
      await terminal.until(new RegExp(`(?:#open=[\\w-]+\\s[\\s\\S]*){${used + 1}}`))
      const found = links()[used]?.[0] ?? ''
      used += 1
      return found
    },
  }
}

/** A home in which questions wait for a person, with a PIN. */
export async function prepareApprovals(place: BoardPlace, waitMs: number): Promise<void> {
  writeApprovalPolicy(place, waitMs)
  const set = await atTerminal(place, ['pin', 'set'], { type: [PIN, PIN] })
  if (set.exitCode !== 0) throw new Error(set.text)
}

/** Questions about every command `deploy` wait this long. */
export function writeApprovalPolicy({ home }: BoardPlace, waitMs: number): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const when = { shell: { command: 'deploy' } }
  const config = {
    version: 1,
    packs: { safety: true, secrets: true },
    rules: [{ id: 'test/deploy', match: 'Bash', when, ask: 'Deploy to production?' }],
    settings: { ask: { waitMs, notify: false } },
  }
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(config))
}
