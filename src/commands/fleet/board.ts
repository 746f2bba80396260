import { randomBytes } from 'node:crypto'
import { HoldpointError } from '../../core/errors.ts'
import { openBrowser } from '../../tools/board/open-browser.ts'
import { openFleetBoard } from '../../tools/fleet-board/server.ts'
import { type Caller, signalled } from '../caller.ts'
import { say } from '../screen.ts'
import { databaseOption } from './collector.ts'
import { loadCollector } from './load-package.ts'
import { countOption } from './options.ts'

interface BoardOptions {
  readonly database?: string
  readonly port?: string
  readonly open?: boolean
}

/** The fleet in the browser, until it is ended. */
export async function fleetBoard(caller: Caller, options: BoardOptions): Promise<void> {
  const port = countOption(options.port ?? '0', '--port', 0, 65_535)
  const fleet = await loadCollector().openFleet(databaseOption(caller, options))
  try {
    const board = await openFleetBoard({
      fleet,
      port,
      secret: randomBytes(16).toString('hex'),
      now: () => new Date(),
      log: (line) => caller.stderr.write(`holdpoint: ${line}\n`),
    }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new HoldpointError({
        code: 'OPTION_INVALID',
        key: '--port',
        message: `The board cannot listen: ${why}.`,
      })
    })
    say(caller, `Open ${board.url}`)
    say(caller, 'Whoever has this address sees the fleet. Press Ctrl-C to end the board.')
    if (options.open !== false) openBrowser(board.url, process.platform)
    await signalled(caller, ['SIGTERM', 'SIGINT'])
    await board.close()
  } finally {
    await fleet.close()
  }
}
