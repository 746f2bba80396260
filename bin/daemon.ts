import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runDaemon } from '../src/daemon/daemon.ts'
import { readHttpSettings } from '../src/daemon/http-settings.ts'
import { FAREWELLS } from '../src/daemon/life.ts'
import { openLog } from '../src/daemon/log.ts'
import { STARTING } from '../src/daemon/run-folder.ts'
import { isSupervised } from '../src/daemon/served.ts'
import { startSupervisor, superviseDaemon } from '../src/daemon/supervise.ts'
import { homeLayout } from '../src/world/home.ts'

// The resident process. `holdpoint-hook` and `holdpoint daemon start` start it; nobody needs to start it by hand.
const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    'idle-ms': { type: 'string', default: '1800000' },
    supervised: { type: 'string' },
  },
})
const home = homeLayout(values.home, process.env)
const file = (name: string) => join(__dirname, `${name}.cjs`)
const supervisor = values.supervised === undefined ? undefined : Number(values.supervised)
const restart = [file('daemon'), ['--home', home.folder]] as const

async function main(): Promise<number> {
  if (supervisor === undefined && readHttpSettings(home) !== undefined) {
    if (await isSupervised(home)) rmSync(join(home.run, STARTING), { force: true })
    else await superviseDaemon(...restart, openLog(home.run))
    return FAREWELLS.stopped
  }
  const reason = await runDaemon({
    home,
    files: {
      self: file('daemon'),
      evaluator: file('evaluator'),
      keeper: file('keeper'),
      watchdog: file('watchdog'),
    },
    idleMaxMs: supervisor === undefined ? Number(values['idle-ms']) : Number.POSITIVE_INFINITY,
    ...(supervisor === undefined ? {} : { supervisor }),
  })
  if (reason === 'orphaned') startSupervisor(...restart)
  return FAREWELLS[reason]
}

main().then(
  (code) => process.exit(code),
  (error) => {
    openLog(home.run)(`cannot start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  },
)
