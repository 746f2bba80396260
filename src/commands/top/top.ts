import { HoldpointError } from '../../core/errors.ts'
import { answerText, type PersonAnswer } from '../../core/formats/approval-text.ts'
import { isObject, textAt } from '../../core/json.ts'
import { type BoardView, openBoardLink } from '../../daemon/approvals/board-link.ts'
import { signWithKey } from '../../daemon/approvals/registration.ts'
import { ensureDaemon } from '../../daemon/launch.ts'
import { type Home, homeLayout } from '../../system/home.ts'
import { programFile } from '../../system/package.ts'
import { findProject } from '../../system/project.ts'
import { sha256 } from '../../system/sha256.ts'
import { unsealWithPin } from '../../system/signing-key.ts'
import { notificationText, notifierOf } from '../../tools/board/notify.ts'
import { type ReaderThread, startReaderThread } from '../../tools/board/reader-thread.ts'
import { followSpool } from '../../tools/board/spool-tail.ts'
import { summaryOf } from '../../tools/board/summary.ts'
import { type BoardRights, registerBoard } from '../board-registration.ts'
import { type Caller, signalled } from '../caller.ts'
import { type DrawOptions, drawModel, pageOf } from './draw.ts'
import { keysIn } from './keys.ts'
import { FIRST, type TopModel, withRecords } from './model.ts'
import { canSeeQuestion } from './question-rows.ts'
import { reactTo, type Wish } from './react.ts'
import { openScreen } from './screen.ts'

interface TopOptions {
  readonly home?: string
}

const TICK_MS = 1_000
const LISTS_EVERY_MS = 3_000
const FIRST_RECORDS = 300
const SESSIONS = 100
/** Longer than a daemon that was killed while it started keeps others from starting. */
const DAEMON_MAX_MS = 30_000

/** The live view of the terminal, until a key ends it. */
export async function top(caller: Caller, options: TopOptions): Promise<void> {
  const { stdin, stdout } = caller
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: '`holdpoint top` needs a terminal.',
      fix: 'Run it in a terminal, or use `holdpoint log --follow`.',
    })
  }
  const home = homeLayout(options.home, caller.env)
  const project = findProject(caller.cwd)
  const rights = await registerBoard(caller, home, process.pid)
  const reader = startReaderThread({ file: programFile('board-reader'), home: home.folder, env: caller.env })
  const screen = openScreen(stdout)
  const drawing = (): DrawOptions => ({ ...screen.size, colours: caller.env.NO_COLOR === undefined })
  let model: TopModel = { ...FIRST, nowMs: Date.now() }
  let isDue = false
  /** Changes of one turn are drawn together. */
  const change = (next: TopModel) => {
    model = next
    if (isDue) return
    isDue = true
    setImmediate(() => {
      isDue = false
      screen.draw(drawModel(model, drawing()))
    })
  }
  const tail = followSpool(home.journal, (records) =>
    change(
      withRecords(
        model,
        records.map((record) => summaryOf(record)),
      ),
    ),
  )
  const board = openTopBoard(home, rights, (view) => change(withBoard(model, view, rights)))
  const lists = async () => {
    const [sessions, orchestrations] = await Promise.all([
      reader.sessions({ limit: SESSIONS }),
      reader.orchestrations(project),
    ])
    change({ ...model, sessions: sessions.rows, orchestrations })
  }
  const said = (error: unknown) =>
    change({ ...model, message: error instanceof Error ? error.message : String(error) })
  void reader
    .records({ filter: {}, limit: FIRST_RECORDS })
    .then(({ rows }) => change(withRecords(model, [...rows].reverse())), said)
  void lists().catch(said)
  const ticking = setInterval(() => change({ ...model, nowMs: Date.now() }), TICK_MS)
  const listing = setInterval(() => void lists().catch(said), LISTS_EVERY_MS)
  const resized = () => {
    screen.clear()
    change(model)
  }
  stdout.on('resize', resized)
  await new Promise<void>((resolve) => {
    const fulfil = async (wish: Wish) => {
      if (wish.kind === 'end') return resolve()
      if (wish.kind === 'redraw') return resized()
      if (wish.kind === 'answer') return change({ ...model, message: await board.answer(model, wish) })
      await open(reader, wish, (more) => change({ ...model, ...more }))
    }
    stdin.setRawMode?.(true)
    stdin.setEncoding('utf8')
    stdin.resume()
    stdin.on('data', (text: string) => {
      for (const key of keysIn(text)) {
        const seen = { page: pageOf(model, drawing()), seesQuestion: canSeeQuestion(model, drawing()) }
        const reaction = reactTo(model, key, seen)
        change(reaction.model)
        if (reaction.wish !== undefined) void fulfil(reaction.wish).catch(said)
      }
    })
    stdin.once('end', resolve)
    void signalled(caller).then(resolve)
  })
  for (const timer of [ticking, listing]) clearInterval(timer)
  tail.stop()
  board.close()
  screen.close()
  stdin.setRawMode?.(false)
  stdin.pause()
  await reader.stop()
}

async function open(
  reader: ReaderThread,
  wish: Extract<Wish, { kind: 'why' | 'session' }>,
  show: (more: Partial<TopModel>) => void,
): Promise<void> {
  if (wish.kind === 'why') {
    const why = await reader.why(wish.id)
    return show(why === undefined ? { message: 'The journal has no such record.' } : { why })
  }
  const session = await reader.session(wish.id)
  show(session === undefined ? { message: 'The journal has no such session.' } : { session, selected: 0 })
}

function withBoard(model: TopModel, view: BoardView, rights: BoardRights): TopModel {
  const answers =
    rights.kind === 'shows'
      ? `This view only shows. ${rights.why} ${rights.fix}`
      : view.isYou
        ? 'You answer here.'
        : view.isConnected
          ? `Another board answers: ${view.answering ?? ''}`
          : 'The daemon is not running.'
  const warned = view.refused.at(-1)
  const message = warned === undefined ? model.message : `A second board was refused: ${warned}`
  return { ...model, questions: view.pending, mayAnswer: view.isYou, answers, message }
}

interface TopBoard {
  /** What became of it, in words. */
  answer(model: TopModel, wish: Extract<Wish, { kind: 'answer' }>): Promise<string>
  close(): void
}

const SETTLED: Readonly<Record<string, string>> = {
  counted: 'Answered.',
  gone: 'Too late: the call was already denied.',
  signature: 'The signature did not count. End `top` and start it again.',
  'not the board': 'Another board answers questions.',
  unconnected: 'The daemon is not running, so the call was denied.',
}

/** The PIN is typed for each answer: keys that another program types into this terminal must not be able to sign. */
function openTopBoard(home: Home, rights: BoardRights, onChange: (view: BoardView) => void): TopBoard {
  const mayAnswer = rights.kind === 'answers'
  const notify = mayAnswer ? notifierOf(rights.notify, process.platform) : undefined
  const known = new Set<string>()
  if (mayAnswer) void ensureDaemon(home, DAEMON_MAX_MS)
  const link = openBoardLink(home.run, mayAnswer ? rights.registration : undefined, (view) => {
    onChange(view)
    if (mayAnswer && !view.isConnected) void ensureDaemon(home, DAEMON_MAX_MS)
    for (const { id, call } of view.isYou ? view.pending : []) {
      if (!known.has(id)) notify?.('Holdpoint: a call waits for you', notificationText(call))
      known.add(id)
    }
  })
  return {
    close: link.close,
    async answer({ questions }, { answer, reason, pin }) {
      const [question] = questions
      if (question === undefined || rights.kind === 'shows') return 'Nothing waits for an answer.'
      const key = unsealWithPin(rights.sealedKey, pin)
      if (key === undefined) return 'The PIN is wrong.'
      const said: PersonAnswer = { answer, reason, atMs: Date.now(), how: 'terminal' }
      const about = { id: question.id, session: sessionIn(question.call), digest: sha256(question.call) }
      const signature = signWithKey(key, answerText(rights.registration.key, about, said))
      key.fill(0)
      return SETTLED[await link.answer(question.id, { ...said, signature })] ?? ''
    },
  }
}

function sessionIn(call: string): string {
  try {
    const value: unknown = JSON.parse(call)
    return isObject(value) ? (textAt(value, 'session') ?? '') : ''
  } catch {
    return ''
  }
}
