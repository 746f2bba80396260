import { resolve } from 'node:path'
import type { GateOptions, Who } from '../adapters/mcp/conversation.ts'
import { createMcpGate } from '../adapters/mcp/gate.ts'
import { createGateEngine, type GateEngine } from '../adapters/mcp/gate-engine.ts'
import type { McpHttpServer } from '../adapters/mcp/http-session.ts'
import { listenSecret } from '../adapters/mcp/listen-secret.ts'
import { pinFile } from '../adapters/mcp/pins.ts'
import { startServer } from '../adapters/mcp/server-process.ts'
import { openStdioGate, type StdioOptions } from '../adapters/mcp/stdio.ts'
import { createToolPolicy } from '../adapters/mcp/tool-policy.ts'
import { createResponder } from '../app/responder.ts'
import { packsOfSkills } from '../config/skill-packs.ts'
import { describeProblem, good, HoldpointError } from '../core/errors.ts'
import { andThen } from '../core/maybe-async.ts'
import { createFileState } from '../storage/state/file-state.ts'
import { monotonicMs } from '../system/clock.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import type { Caller } from './caller.ts'
import { headersOf, type McpOptions, nameOf, newSessionId, portOf, reachedBy, whoOf } from './mcp-options.ts'
import { visible } from './visible.ts'

/**
 * Runs the gate in front of one MCP server until either side ends. Standard output is only for the protocol.
 */
export async function mcp(caller: Caller, words: readonly string[], options: McpOptions): Promise<void> {
  const reached = reachedBy(words, options)
  // If standard error cannot be written, that is not a reason to stop.
  caller.stderr.on('error', () => {})
  const home = homeLayout(options.home, caller.env)
  const server = nameOf(options.name, reached)
  const pins = pinFile(home, server, reached)
  if (options.accept === true)
    return (await import('./mcp-accept.ts')).acceptTools(caller, home, pins, server)
  const who = whoOf(options, caller.cwd)
  const engine = engineFor(caller, home, who, options)
  const tools = createToolPolicy({
    hide: options.hide ?? [],
    only: options.only ?? [],
    pin: options.pin ?? 'warn',
    pinFile: pins,
    dropOutputSchemas: options.dropOutputSchemas === true,
    changed: (text) => {
      say(caller, text)
      engine.noted(who, text)
    },
  })
  const gate = {
    ...engine,
    server,
    who,
    tools,
    say: (text: string) => say(caller, text),
    newId: newSessionId,
    now: monotonicMs,
  }
  if (options.url === undefined) {
    const [command = '', ...args] = words
    const start = { command, args, cwd: caller.cwd, env: caller.env }
    return overStdio(caller, gate, engine, (listener) => startServer(start, listener))
  }
  const { openHttpLink } = await import('../adapters/mcp/http-link.ts')
  const remote = { url: options.url, headers: headersOf(options.header ?? [], caller.env) }
  if (options.listen !== undefined)
    return overHttp(caller, gate, engine, remote, portOf(options.listen), home)
  await overStdio(caller, gate, engine, async (listener) => good(openHttpLink(remote, listener)))
}

async function overStdio(
  caller: Caller,
  gate: Omit<GateOptions, 'replays'>,
  engine: GateEngine,
  open: StdioOptions['open'],
): Promise<void> {
  // If the client stops reading, end in order: stop the server first, then write the journal.
  caller.stdout.removeAllListeners('error')
  const opened = await openStdioGate({
    gate: createMcpGate({ ...gate, replays: false }),
    input: caller.stdin,
    output: caller.stdout,
    open,
    say: gate.say,
  })
  if (!opened.ok) throw new HoldpointError(opened.problem)
  const { ended, stop } = opened.value
  caller.onSignals(SIGNALS, stop)
  // However this process ends, the server must end too.
  process.on('exit', stop)
  const exitCode = await ended
  await engine.settle()
  caller.exit(exitCode)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function overHttp(
  caller: Caller,
  gate: Omit<GateOptions, 'replays'>,
  engine: GateEngine,
  server: McpHttpServer,
  port: number,
  home: Home,
): Promise<void> {
  const { openHttpGate } = await import('../adapters/mcp/http-gate.ts')
  const newGate = () => createMcpGate({ ...gate, replays: true })
  const opened = await openHttpGate({ server, port, secret: listenSecret(home), newGate })
  if (!opened.ok) throw new HoldpointError(opened.problem)
  caller.stdout.write(`${opened.value.url}\n`)
  const close = async () => {
    opened.value.close()
    await engine.settle()
    caller.exit(0)
  }
  caller.onSignals(SIGNALS, () => void close())
}

function engineFor(caller: Caller, home: Home, { cwd }: Who, options: McpOptions): GateEngine {
  const skills = options.skill ?? []
  const project = findProject(cwd)
  const responder = createResponder({
    home,
    state: createFileState(home.state),
    now: monotonicMs,
    packs: options.pack ?? [],
    skillPacks: packsOfSkills(skills),
    ...(options.config === undefined ? {} : { config: resolve(caller.cwd, options.config) }),
  })
  // Loaded before the first call, so that problems are printed where the user may see them.
  void andThen(responder.plan(project), (loaded) => {
    const problems = loaded.ok ? [...loaded.value.broken, ...loaded.value.plan.problems] : [loaded.problem]
    for (const problem of problems) if (problem.severity !== 'warning') say(caller, describeProblem(problem))
  })
  return createGateEngine({
    ...{ responder, home, project, env: caller.env, skills, newId: newSessionId },
    say: (text) => say(caller, text),
  })
}

/** Clients show standard error to the user, or keep it in a log. */
function say(caller: Caller, text: string): void {
  caller.stderr.write(`holdpoint: ${visible(text)}\n`)
}
