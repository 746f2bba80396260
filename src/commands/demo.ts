import pc from 'picocolors'
import { HoldpointError } from '../core/errors.ts'
import { type JsonObject, textAt } from '../core/json.ts'
import type { Caller } from './caller.ts'
import { countRecords, middle } from './demo/figures.ts'
import { type Interruption, watchInterruption } from './demo/interruption.ts'
import {
  type DemoScreen,
  eventLines,
  factLines,
  fileLines,
  journalLines,
  nextLines,
  sentence,
  speedLines,
} from './demo/lines.ts'
import { readReply, readSession, shownEvent } from './demo/session.ts'
import { createStage, type DemoStage, TRUE } from './demo/stage.ts'
import { CONFIG, daemonFact, FOLDER, hookFact, LEGEND, LINES, NEXT, POLICIES, TITLE } from './demo/words.ts'
import { plural } from './screen.ts'

interface Demo {
  readonly stage: DemoStage
  readonly session: readonly JsonObject[]
  readonly screen: DemoScreen
  readonly interruption: Interruption
}

/**
 * Installs Holdpoint into a temporary folder, plays an agent session through its hook and daemon, and removes
 * everything again, even if it is interrupted.
 */
export async function demo(caller: Caller): Promise<void> {
  const interruption = watchInterruption(caller)
  const stage = createStage(caller, CONFIG)
  try {
    const session = readSession(stage.project)
    await play(caller, { stage, session, screen: screenOf(caller), interruption })
  } catch (error) {
    // Ctrl-C also ends the running call, which then fails only for that reason.
    if (interruption.exitCode() === undefined) throw error
  } finally {
    await stage.remove()
  }
  const fault = interruption.fault()
  if (fault !== undefined) throw fault
  const exitCode = interruption.exitCode()
  if (exitCode === undefined) return
  caller.exitCode = exitCode
  if (exitCode > 0) caller.stderr.write('\nStopped. The daemon was stopped and the folder was removed.\n')
}

async function play(caller: Caller, demo: Demo): Promise<void> {
  const { stage, session, screen } = demo
  const say = (text: string) => {
    demo.interruption.check()
    caller.stdout.write(text)
  }
  say(`${screen.colour.bold(sentence(TITLE, screen))}\n`)
  say(factLines('folder', FOLDER, screen))
  say(factLines('hook', hookFact(stage.install(), `${process.platform}-${process.arch}`), screen))
  say(factLines('daemon', daemonFact(await stage.startDaemon()), screen))
  say(factLines('warm-up', `${plural(await warmUp(demo), 'call')}, not shown`, screen))
  say(factLines('policies', POLICIES, screen))
  say(fileLines(CONFIG, screen))
  say(`${sentence(LINES, screen)}\n`)
  for (const [sign, meaning] of Object.entries(LEGEND)) say(factLines(sign, meaning, screen))
  say('\n')
  const times = await playSession(demo, say)
  say(await journalText(demo, textAt(session[0] ?? {}, 'session_id') ?? ''))
  const speed = { hookMs: middle(times.hook), trueMs: middle(times.true), trueProgram: TRUE }
  say(speedLines({ ...speed, calls: times.hook.length }, screen))
  say(nextLines(NEXT, screen))
}

const WARM_UP_CALLS = 100
const WARM_UP_MAX_MS = 800

/** Plays the session under another name first, so that the times shown are those of a daemon that is warm. */
async function warmUp({ stage, session, interruption }: Demo): Promise<number> {
  const endMs = performance.now() + WARM_UP_MAX_MS
  let calls = 0
  for (; calls < WARM_UP_CALLS && performance.now() < endMs; calls += 1) {
    const payload = session[calls % session.length]
    const round = Math.floor(calls / session.length)
    await stage.call({ ...payload, session_id: `warm-up-${round}` })
    interruption.check()
  }
  return calls
}

interface Times {
  readonly hook: number[]
  readonly true: number[]
}

async function playSession({ stage, session, screen, interruption }: Demo, say: (text: string) => void) {
  const times: Times = { hook: [], true: [] }
  let call: string | undefined
  for (const payload of session) {
    const { tookMs, ...reply } = await stage.call(payload)
    // The two take turns, so that a busy machine slows both equally.
    const trueMs = await stage.startTrue()
    interruption.check()
    const answered = readReply(reply, stage.project)
    if (answered === undefined) throw unanswered(reply.exitCode, reply.stderr)
    const { name, subject } = shownEvent(payload, stage.project)
    const id = textAt(payload, 'tool_use_id')
    // The reply to the call on the line above.
    const isSame = id !== undefined && id === call
    say(eventLines({ ...answered, tookMs, name, subject: isSame ? '' : subject }, screen))
    call = id
    times.hook.push(tookMs)
    if (trueMs !== undefined) times.true.push(trueMs)
  }
  return times
}

function unanswered(exitCode: number | null, stderr: string): HoldpointError {
  return new HoldpointError({
    code: 'INTERNAL',
    message: `The hook did not answer (exit code ${exitCode ?? 'missing'}). ${stderr.trim()}`,
    ...(exitCode === null ? { fix: 'Set TMPDIR to a folder where programs may be executed.' } : {}),
  })
}

async function journalText({ stage, screen }: Demo, session: string): Promise<string> {
  try {
    const { records, isIntact } = await stage.records(session)
    return journalLines(countRecords(records, isIntact), screen)
  } catch (error) {
    // Without SQLite, records stay in the spool and hooks answer as usual.
    if (!(error instanceof HoldpointError)) throw error
    return `\n${sentence(`The journal cannot be read here: ${error.message}`, screen)}`
  }
}

const COLUMNS = { least: 60, most: 100, otherwise: 80 }

/**
 * Colours only at a terminal: `CI` and `FORCE_COLOR` do not add them to a pipe. Some terminals report 0
 * columns.
 */
function screenOf({ env, stdout }: Caller): DemoScreen {
  const { NO_COLOR = '', TERM } = env
  const columns = stdout.columns || COLUMNS.otherwise
  return {
    columns: Math.min(COLUMNS.most, Math.max(COLUMNS.least, columns)),
    colour: pc.createColors(stdout.isTTY === true && NO_COLOR === '' && TERM !== 'dumb'),
  }
}
