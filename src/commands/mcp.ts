import { resolve } from 'node:path'
import { describeProblem, good, HoldpointError } from '../errors.ts'
import type { GateOptions, Who } from '../mcp/conversation.ts'
import { createGate } from '../mcp/gate.ts'
import type { HttpServer } from '../mcp/http-session.ts'
import { createJudge, type Judge } from '../mcp/judge.ts'
import { listenSecret } from '../mcp/listen-secret.ts'
import { pinFile } from '../mcp/pins.ts'
import { startServer } from '../mcp/server-process.ts'
import { openStdioGate, type StdioOptions } from '../mcp/stdio.ts'
import { createToolPolicy } from '../mcp/tool-policy.ts'
import { createResponder } from '../responder.ts'
import { packsOfSkills } from '../skill-packs.ts'
import { createFileState } from '../state/file-state.ts'
import { monotonicMs } from '../world/clock.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { findProject } from '../world/project.ts'
import { headersOf, type McpOptions, nameOf, newId, portOf, reachedBy, whoOf } from './mcp-options.ts'
import { visible } from './visible.ts'

/** The gate in front of one MCP server, until either side ends. Standard output belongs to the protocol. */
export async function mcp(words: readonly string[], options: McpOptions): Promise<void> {
  const reached = reachedBy(words, options)
  // Nobody has to hear what is said there.
  process.stderr.on('error', () => {})
  const home = homeLayout(options.home, process.env)
  const server = nameOf(options.name, reached)
  const pins = pinFile(home, server, reached)
  if (options.accept === true) return (await import('./mcp-accept.ts')).acceptTools(home, pins, server)
  const who = whoOf(options, process.cwd())
  const judge = judgeFor(home, who, options)
  const tools = createToolPolicy({
    hide: options.hide ?? [],
    only: options.only ?? [],
    pin: options.pin ?? 'warn',
    pinFile: pins,
    dropOutputSchemas: options.dropOutputSchemas === true,
    changed: (text) => {
      say(text)
      judge.noted(who, text)
    },
  })
  const gate = { ...judge, server, who, tools, say, newId, now: monotonicMs }
  if (options.url === undefined) {
    const [command = '', ...args] = words
    const start = { command, args, cwd: process.cwd(), env: process.env }
    return overStdio(gate, judge, (listener) => startServer(start, listener))
  }
  const { openHttpLink } = await import('../mcp/http-link.ts')
  const remote = { url: options.url, headers: headersOf(options.header ?? [], process.env) }
  if (options.listen !== undefined) return overHttp(gate, judge, remote, portOf(options.listen), home)
  await overStdio(gate, judge, async (listener) => good(openHttpLink(remote, listener)))
}

async function overStdio(
  gate: Omit<GateOptions, 'replays'>,
  judge: Judge,
  open: StdioOptions['open'],
): Promise<void> {
  // A client that reads nothing any more ends us in good order: the server goes first, and the journal is written.
  process.stdout.removeAllListeners('error')
  const opened = await openStdioGate({
    gate: createGate({ ...gate, replays: false }),
    input: process.stdin,
    output: process.stdout,
    open,
    say,
  })
  if (!opened.ok) throw new HoldpointError(opened.problem)
  const { ended, stop } = opened.value
  for (const signal of SIGNALS) process.on(signal, stop)
  // Whatever ends this process, the server goes too.
  process.on('exit', stop)
  const exitCode = await ended
  await judge.settle()
  process.exit(exitCode)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function overHttp(
  gate: Omit<GateOptions, 'replays'>,
  judge: Judge,
  server: HttpServer,
  port: number,
  home: Home,
): Promise<void> {
  const { openHttpGate } = await import('../mcp/http-gate.ts')
  const newGate = () => createGate({ ...gate, replays: true })
  const opened = await openHttpGate({ server, port, secret: listenSecret(home), newGate })
  if (!opened.ok) throw new HoldpointError(opened.problem)
  process.stdout.write(`${opened.value.url}\n`)
  const close = async () => {
    opened.value.close()
    await judge.settle()
    process.exit(0)
  }
  for (const signal of SIGNALS) process.on(signal, close)
}

function judgeFor(home: Home, { cwd }: Who, options: McpOptions): Judge {
  const skills = options.skill ?? []
  const project = findProject(cwd)
  const responder = createResponder({
    home,
    state: createFileState(home.state),
    now: monotonicMs,
    packs: options.pack ?? [],
    skillPacks: packsOfSkills(skills),
    ...(options.config === undefined ? {} : { config: resolve(options.config) }),
  })
  // Ready before the first call, and what is wrong is said where a person may see it.
  void responder.plan(project).then((loaded) => {
    const problems = loaded.ok ? [...loaded.value.broken, ...loaded.value.plan.problems] : [loaded.problem]
    for (const problem of problems) if (problem.severity !== 'warning') say(describeProblem(problem))
  })
  return createJudge({ responder, home, project, env: process.env, skills, say, newId })
}

/** Standard error is what clients show people, or keep for them. */
function say(text: string): void {
  process.stderr.write(`holdpoint: ${visible(text)}\n`)
}
