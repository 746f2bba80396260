import { createInterface } from 'node:readline'
import { HoldpointError } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import { ensureDaemon } from '../daemon/launch.ts'
import { HOSTS } from '../hosts/index.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { boardAssets, programFile } from '../system/package.ts'
import { personHere } from '../system/person.ts'
import { findProject } from '../system/project.ts'
import type { Hello } from '../tools/board/api.ts'
import { type BoardApprovals, openBoardApprovals } from '../tools/board/approvals.ts'
import { readAssets } from '../tools/board/assets.ts'
import { notificationText, notifierOf } from '../tools/board/notify.ts'
import { openBrowser } from '../tools/board/open-browser.ts'
import { startReaderThread } from '../tools/board/reader-thread.ts'
import { openBoardServer } from '../tools/board/server.ts'
import { followSpool } from '../tools/board/spool-tail.ts'
import { createLiveStream, type LiveStream } from '../tools/board/stream.ts'
import { summaryOf } from '../tools/board/summary.ts'
import { createBoardTokens } from '../tools/board/tokens.ts'
import { type BoardRights, registerBoard } from './board-registration.ts'
import { type Caller, signalled } from './caller.ts'

interface UiOptions {
  readonly port?: string
  readonly open?: boolean
  readonly home?: string
  readonly database?: string
}

/** The board in the browser, served on loopback until it is ended. */
export async function ui(caller: Caller, options: UiOptions): Promise<void> {
  if (options.database !== undefined) throw onlyForFleet()
  const home = homeLayout(options.home, caller.env)
  const project = findProject(caller.cwd)
  const rights = await registerBoard(caller, home, process.pid)
  const file = programFile('board-reader')
  const start = { file, home: home.folder, env: caller.env }
  const [reader, slowReader] = [startReaderThread(start), startReaderThread(start)]
  const stream = createLiveStream(() => [{ kind: 'approvals', state: approvals.state() }])
  const approvals = openApprovals(home, rights, stream)
  const tail = followSpool(home.journal, (records) =>
    stream.send({ kind: 'records', rows: records.map((record) => summaryOf(record)) }),
  )
  const tokens = createBoardTokens()
  const hello = async (): Promise<Hello> => ({
    project,
    projects: [...new Set([project, ...(await slowReader.projects())])],
    hosts: Object.keys(HOSTS),
    version: VERSION,
    user: personHere().user,
  })
  const server = await openBoardServer({
    port: portFrom(options.port),
    tokens,
    assets: readAssets(boardAssets()),
    stream,
    uid: process.getuid?.(),
    reader,
    slowReader,
    approvals,
    hello,
    onUsedTwice: () =>
      out(
        caller,
        caller.colours.yellow('That link was used twice, so neither use counts. Press Enter for a new link.'),
      ),
  }).catch((error: unknown) => {
    throw cannotListen(error, options.port)
  })
  out(caller, `The board is running. Open ${caller.colours.bold(server.link())}`)
  out(
    caller,
    caller.colours.dim('The link works once. Press Enter for another one, Ctrl-C to end the board.'),
  )
  if (options.open !== false) openBrowser(server.link(), process.platform)
  await untilEnded(caller, () => out(caller, server.link()))
  tail.stop()
  approvals.close()
  await server.close()
  await Promise.all([reader.stop(), slowReader.stop()])
}

/** Keeps a daemon running while this board may answer, tells the pages, and notifies the person. */
function openApprovals(home: Home, rights: BoardRights, stream: LiveStream): BoardApprovals {
  const mayAnswer = rights.kind === 'answers'
  const notify = mayAnswer ? notifierOf(rights.notify, process.platform) : undefined
  const known = new Set<string>()
  if (mayAnswer) void ensureDaemon(home, DAEMON_MAX_MS)
  return openBoardApprovals({
    run: home.run,
    ...(mayAnswer ? { register: rights } : {}),
    why: mayAnswer ? { why: '', fix: '' } : rights,
    onChange(state, view) {
      stream.send({ kind: 'approvals', state })
      if (mayAnswer && !view.isConnected) void ensureDaemon(home, DAEMON_MAX_MS)
      if (!view.isYou) return
      for (const { id, call } of view.pending) {
        if (!known.has(id)) notify?.('Holdpoint: a call waits for you', notificationText(call))
        known.add(id)
      }
    },
  })
}

/** Longer than a daemon that was killed while it started keeps others from starting. */
const DAEMON_MAX_MS = 30_000

function onlyForFleet(): HoldpointError {
  return new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--database',
    message: '--database is the database of a fleet, and this board shows one machine.',
    fix: 'Add --fleet, or leave out --database.',
  })
}

function portFrom(text: string | undefined): number {
  if (text === undefined) return 0
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new HoldpointError({ code: 'OPTION_INVALID', key: '--port', message: `"${text}" is not a port.` })
}

function cannotListen(error: unknown, port: string | undefined): HoldpointError {
  const why = error instanceof Error ? error.message : String(error)
  return new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--port',
    message: `The board cannot listen${port === undefined ? '' : ` on port ${port}`}: ${why}.`,
    fix: 'Choose another port, or leave out --port.',
  })
}

/** Resolves at Ctrl-C, or when the terminal is closed. */
async function untilEnded(caller: Caller, onEnter: () => void): Promise<void> {
  const keys = caller.stdin.isTTY ? createInterface({ input: caller.stdin }) : undefined
  keys?.on('line', onEnter)
  await new Promise<void>((resolve) => {
    void signalled(caller).then(resolve)
    keys?.once('close', () => resolve())
  })
  keys?.close()
}

function out(caller: Caller, line: string): void {
  caller.stdout.write(`${line}\n`)
}
