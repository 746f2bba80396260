import { setTimeout as sleep } from 'node:timers/promises'
import { journalSettingsOf } from '../../app/journal-settings.ts'
import { fleetFolder } from '../../config/bundle/enrollment.ts'
import { HoldpointError } from '../../core/errors.ts'
import { createTelemetryExport } from '../../daemon/fleet/export-telemetry.ts'
import { openJournal } from '../../storage/journal/journal.ts'
import type { Home } from '../../system/home.ts'
import { type Caller, homeNamed, signalled } from '../caller.ts'
import { plural, say } from '../screen.ts'
import { loadTelemetry } from './load-package.ts'

interface ExportOptions {
  readonly follow?: boolean
  readonly home?: string
}

const FOLLOW_EVERY_MS = 2_000

/**
 * The export that the daemon does, once and in the foreground: for CI and containers, where the variables belong to the
 * operator. The daemon never reads variables, because an agent or a project may have set them.
 */
export async function exportTelemetry(caller: Caller, options: ExportOptions): Promise<void> {
  const home = homeNamed(caller, options.home)
  const loaded = loadTelemetry()
  const journal = await openJournal(home.journal)
  let isOver = false
  void signalled(caller, ['SIGINT', 'SIGTERM']).then(() => {
    isOver = true
  })
  try {
    const telemetry = createTelemetryExport({
      folder: fleetFolder(home),
      journal: () => journal.store,
      load: () => loaded,
      environment: caller.env,
      now: () => new Date(),
      chance: Math.random,
    })
    telemetry.use(await variablesOf(caller, home))
    do {
      journal.importSpool()
      const sent = await telemetry.flush().catch((error: unknown) => {
        throw unreachable(error)
      })
      if (sent > 0 || options.follow !== true) say(caller, `Sent ${plural(sent, 'record')}.`)
      if (options.follow === true && !isOver) await sleep(FOLLOW_EVERY_MS)
    } while (options.follow === true && !isOver)
  } finally {
    journal.store.close()
  }
}

/** A variable is stronger than the file. */
async function variablesOf(caller: Caller, home: Home): Promise<Readonly<Record<string, string>>> {
  const own = Object.entries(caller.env).filter(
    (entry): entry is [string, string] => entry[0].startsWith('OTEL_') && entry[1] !== undefined,
  )
  const settings = await journalSettingsOf(home, Date.now())
  const all = { ...settings?.telemetry, ...Object.fromEntries(own) }
  if (Object.keys(all).length > 0) return all
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    message: 'No OpenTelemetry receiver is configured.',
    fix: 'Set OTEL_EXPORTER_OTLP_ENDPOINT, or `settings: { telemetry: { OTEL_EXPORTER_OTLP_ENDPOINT: … } }` in your file.',
  })
}

function unreachable(error: unknown): HoldpointError {
  if (error instanceof HoldpointError) return error
  const why = error instanceof Error ? error.message : String(error)
  return new HoldpointError({
    code: 'FLEET_UNREACHABLE',
    message: `The records were not sent: ${why}.`,
    fix: 'Check the address and the receiver. The records wait in the journal.',
  })
}
