import { type ALWAYS_STARTED, createSandbox, type Ran } from './command.ts'

/** How each command of the help is started once as a process. Tests play commands in their own process otherwise. */
export interface Start {
  readonly words: readonly string[]
  readonly stdin?: string
  /** A part of what it prints. */
  readonly says: RegExp
  readonly exitCode: number
}

/** The ten most used. `npm test` starts them; of what they print, everything is compared with the played command. */
export const MOST_USED: Readonly<Record<string, Start>> = {
  hook: {
    words: ['hook', 'claude-code'],
    stdin: JSON.stringify({
      ...{ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'u' },
      tool_input: { command: 'git push --force' },
    }),
    says: /"permissionDecision":"deny"/,
    exitCode: 0,
  },
  test: {
    words: ['test', '--tool', 'Read', '--args', '{"file_path":".env"}'],
    says: /^BLOCKED: /,
    exitCode: 2,
  },
  explain: { words: ['explain', '--effects', 'rm -rf build'], says: /delete {3}/, exitCode: 0 },
  check: {
    words: ['check', '--jsonl'],
    stdin: '{"command":"ls"}\n{}\n',
    says: /"ROW_INVALID"/,
    exitCode: 65,
  },
  log: { words: ['log'], says: /The journal has no matching records yet/, exitCode: 0 },
  status: { words: ['status'], says: /^NOT GUARDED: /, exitCode: 1 },
  trust: { words: ['trust', '--yes'], says: /\[CONFIG_/, exitCode: 78 },
  lint: { words: ['lint', 'gone.yaml'], says: /This file does not exist/, exitCode: 1 },
  docs: { words: ['docs', 'safety/git/force-push'], says: /^safety\/git\/force-push\n=/, exitCode: 0 },
  guards: { words: ['guards', 'safety/git/*'], says: /^safety\/git\/force-push {2}/m, exitCode: 0 },
}

/** The other commands that tests play. test/long starts them. */
export const LESS_USED: Readonly<Record<string, Start>> = {
  adopt: { words: ['adopt'], says: /This file does not exist/, exitCode: 78 },
  allow: { words: ['allow', '--list'], says: /^There are no exceptions/, exitCode: 0 },
  audit: { words: ['audit'], says: /The journal: 0 records/, exitCode: 0 },
  completion: { words: ['completion', 'bash'], says: /complete -/, exitCode: 0 },
  config: { words: ['config'], says: /^layers:/, exitCode: 0 },
  daemon: { words: ['daemon', 'status'], says: /^The daemon is not running/, exitCode: 1 },
  fleet: { words: ['fleet', 'status'], says: /not enrolled/, exitCode: 0 },
  mux: { words: ['mux', 'audit', '--phase', 'runtime'], says: /^No problems found/, exitCode: 0 },
  pause: { words: ['pause'], says: /^/, exitCode: 0 },
  pin: { words: ['pin', 'set'], says: /is only for people/, exitCode: 64 },
  replay: { words: ['replay'], says: /0 events/, exitCode: 0 },
  report: { words: ['report', '--csv'], says: /,/, exitCode: 0 },
  scan: { words: ['scan'], says: /^In 30 days, no tool calls were found/, exitCode: 0 },
  skill: { words: ['skill', 'start', 'mux', '--session', 's'], says: /active: mux/, exitCode: 0 },
  suggest: { words: ['suggest'], says: /^0 calls/, exitCode: 0 },
  uninstall: { words: ['uninstall', '--yes'], says: /^No hooks were installed/, exitCode: 0 },
}

/** Commands that are always started, and a file that does it. */
export const STARTED_ELSEWHERE: Readonly<Record<keyof typeof ALWAYS_STARTED, string>> = {
  demo: 'test/long/package-demo.test.ts',
  doctor: 'test/package/smoke.test.ts',
  init: 'test/package/smoke.test.ts',
  mcp: 'test/e2e/mcp.test.ts',
  run: 'test/long/run.test.ts',
  top: 'test/long/top.test.ts',
  ui: 'test/long/board/board.ts',
  upgrade: 'test/long/package-upgrade.test.ts',
}

/** What the installed program does, and what the played command does, in a folder of the same name. */
export async function startedAndPlayed(start: Start): Promise<readonly [started: Ran, played: Ran]> {
  const run = async (process: boolean) => {
    const sandbox = createSandbox()
    try {
      const ran = await sandbox.run(start.words, { stdin: start.stdin ?? '', process })
      const named = (text: string) => text.replaceAll(sandbox.folder, '/sandbox')
      return { ...ran, stdout: named(ran.stdout), stderr: named(ran.stderr) }
    } finally {
      await sandbox.remove()
    }
  }
  return [await run(true), await run(false)]
}
