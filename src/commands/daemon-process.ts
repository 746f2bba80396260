import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runDaemon } from '../daemon/daemon.ts'
import { isSupervised } from '../daemon/daemon-status.ts'
import { givenPort } from '../daemon/given-port.ts'
import { readHttpSettings } from '../daemon/http-settings.ts'
import { EXIT_CODES } from '../daemon/lifecycle.ts'
import { openLog } from '../daemon/log.ts'
import { STARTING } from '../daemon/run-folder.ts'
import { RESTARTS_VARIABLE, replaceSupervisor, superviseDaemon } from '../daemon/supervise.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { programFile } from '../system/package.ts'

/** The daemon process, from its command line to its exit code. */
export async function daemonProcess(): Promise<void> {
  const { values } = parseArgs({
    options: {
      home: { type: 'string' },
      'idle-ms': { type: 'string', default: '1800000' },
      supervised: { type: 'string' },
    },
  })
  const home = homeLayout(values.home, process.env)
  const supervisor = values.supervised === undefined ? undefined : Number(values.supervised)
  try {
    process.exit(await run(home, supervisor, Number(values['idle-ms'])))
  } catch (error) {
    openLog(home.run)(`cannot start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

async function run(home: Home, supervisor: number | undefined, idleMs: number): Promise<number> {
  if (supervisor === undefined && readHttpSettings(home) !== undefined) {
    const given = givenPort()
    const listener = await given?.listener(LISTENER_MAX_MS)
    if (await isSupervised(home)) rmSync(join(home.run, STARTING), { force: true })
    else
      await superviseDaemon(home, openLog(home.run), { restarts: restarts(), ...(listener && { listener }) })
    return EXIT_CODES.stopped
  }
  const port = supervisor === undefined ? undefined : givenPort()
  const reason = await runDaemon({
    home,
    files: {
      evaluator: programFile('evaluator'),
      journal: programFile('journal'),
      watchdog: programFile('watchdog'),
    },
    idleMaxMs: supervisor === undefined ? idleMs : Number.POSITIVE_INFINITY,
    ...(supervisor === undefined ? {} : { supervisor }),
    ...(port === undefined ? {} : { port }),
    orphaned: async () => replaceSupervisor(home, await port?.listener(0)),
  })
  return EXIT_CODES[reason]
}

/** A daemon that was left alone gives the port to its new supervisor at once. */
const LISTENER_MAX_MS = 2_000
const RESTARTS_MAX = 20

function restarts(): number {
  const said = Number(process.env[RESTARTS_VARIABLE])
  return Number.isInteger(said) && said > 0 ? Math.min(said, RESTARTS_MAX) : 0
}
