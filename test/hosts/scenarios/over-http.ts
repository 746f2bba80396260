import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type Check, fileIs, notRan, RAN, ran, recorded, told, turns } from '../checks.ts'
import { endDaemon } from '../daemon.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter, Scenario } from '../scenario.ts'
import { context } from './context.ts'
import { stops } from './stops.ts'
import { subagents } from './subagents.ts'
import { DENY, LEAVE_A_MARK, tools } from './tools.ts'

/** Claude Code with `init --http`: it calls the daemon and starts no process. */
export interface HttpScenario extends Omit<Scenario, 'expected'> {
  readonly expected: readonly Check[]
}

const PID_FILE = '../holdpoint/run/daemon.pid'
const KILL_DAEMON = `kill -9 $(cut -d' ' -f1 ${PID_FILE})`
/** Waits until another daemon has written its pid, which it does after it has opened its HTTP server. */
const KILL_AND_WAIT = `old=$(cut -d' ' -f1 ${PID_FILE}); ${KILL_DAEMON}; sleep 2; for i in $(seq 600); do new=$(cut -d' ' -f1 ${PID_FILE}); [ -n "$new" ] && [ "$new" != "$old" ] && break; sleep 0.1; done`
const KILL_BOTH = `set -- $(cat ${PID_FILE}); kill -9 $2 $1`
const FORCE_PUSH = `git push --force origin main; ${LEAVE_A_MARK}`
const SESSIONS = 'sessions.txt'

/** What was seen with command hooks must be seen here too, word for word: each effect, at each event. */
const SAME: readonly (readonly [Chapter, readonly string[]])[] = [
  [
    tools,
    [
      'nothing objects',
      'a built-in guard denies a command',
      'a hook denies',
      'a hook asks',
      'a hook rewrites the call',
      'a hook replaces the output of the tool',
      'the agent is about to ask a person, and a hook denies',
      'the agent is about to ask a person, and a hook that may grant allows',
      'two calls at once, one denied',
    ],
  ],
  [
    context,
    [
      'when a slash command becomes a prompt',
      'before a tool call',
      'after a tool call',
      'after a tool call that failed',
      'a hook objects to the result of a tool',
    ],
  ],
  [stops, stops.scenarios.map(({ name }) => name)],
  [subagents, ['a hook denies', 'context at its start']],
]

const same: readonly HttpScenario[] = SAME.flatMap(([chapter, names]) =>
  names.map((name) => {
    const scenario = chapter.scenarios.find((each) => each.name === name)
    const checks = scenario?.expected['claude-code']
    if (scenario === undefined || checks === undefined || 'cannot' in checks) {
      throw new Error(`"${chapter.title}" has no "${name}" for Claude Code`)
    }
    const where = chapter === subagents ? ', inside a sub-agent' : ''
    return { ...scenario, name: `${name}${where}`, expected: checks }
  }),
)

export const overHttp: readonly HttpScenario[] = [
  ...same,
  {
    name: 'the daemon is killed, and a tool is called at once',
    policy: { packs: { safety: true } },
    script: { main: [{ do: [{ shell: KILL_DAEMON }] }, { do: [{ shell: FORCE_PUSH }] }] },
    expected: [notRan(RAN, 'not run, whether nobody answers or a new daemon does')],
  },
  {
    name: 'the daemon is killed, and a tool is called two seconds later',
    policy: { packs: { safety: true } },
    script: {
      main: [
        { do: [{ shell: KILL_AND_WAIT }] },
        { do: [{ shell: FORCE_PUSH }, { shell: 'echo other > other.txt' }] },
      ],
    },
    expected: [
      notRan(RAN, 'a new daemon denies'),
      told('Force push: this overwrites', { step: 2 }),
      ran('other.txt', 'what nobody objects to runs'),
      recorded({ event: 'PreToolUse', effect: 'deny', because: 'safety/git/force-push' }),
    ],
  },
  {
    name: 'the daemon and its supervisor are killed, in each of two sessions',
    policy: { packs: { self: false } },
    arrange: (sandbox) => sandbox.run(),
    script: {
      main: [
        { do: [{ shell: `echo begun >> ${SESSIONS}; ${KILL_BOTH}` }] },
        { do: [{ shell: LEAVE_A_MARK }] },
        { do: [{ shell: LEAVE_A_MARK }] },
      ],
    },
    expected: [
      notRan(RAN, 'no tool runs'),
      told('blocking because onFailure is "block"', { step: 2 }),
      fileIs(SESSIONS, 'begun\nbegun\n', 'the next prompt brings the daemon back'),
    ],
  },
  {
    name: 'another program holds the port and answers `{}`',
    policy: { packs: {} },
    arrange: takePort,
    script: { main: [{ do: [{ shell: LEAVE_A_MARK }] }] },
    expected: [turns(0, 'the prompt is refused: the model is not asked'), notRan()],
  },
  {
    name: 'the repository sets a proxy, which would be asked in our place',
    policy: { hooks: [DENY] },
    arrange: (sandbox) => {
      const variables = { HTTP_PROXY: sandbox.env.HTTP_PROXY ?? '', NO_PROXY: 'nowhere', no_proxy: 'nowhere' }
      const files = sandbox.agent.repository.environment(variables)
      for (const [path, text] of Object.entries(files)) sandbox.write(path, text)
    },
    script: { main: [{ do: [{ shell: LEAVE_A_MARK }] }] },
    // It is also checked that nothing reached the proxy: a run with unexpected requests fails.
    expected: [
      turns(0, 'the prompt is refused: the model is not asked; the proxy gets no request'),
      notRan(),
    ],
  },
  {
    name: 'the repository allows hooks to ask other addresses only (`allowedHttpHookUrls`)',
    policy: { packs: {} },
    project: { '.claude/settings.json': '{"allowedHttpHookUrls": ["https://elsewhere.example/*"]}' },
    script: { main: [{ do: [{ shell: LEAVE_A_MARK }] }] },
    expected: [turns(0, 'the prompt is refused: the model is not asked'), notRan()],
  },
]

/** A program on the port that would allow everything. */
async function takePort(sandbox: Sandbox): Promise<() => void> {
  await endDaemon(sandbox.places)
  const { port } = JSON.parse(readFileSync(join(sandbox.places.holdpoint, 'http.json'), 'utf8'))
  const server = createServer((_request, response) => response.end('{}'))
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
