// Scans the transcripts below a home folder on two threads, and prints how fast and with how much memory.
import { join } from 'node:path'
import { builtModule } from '../built-module.mjs'

const root = join(import.meta.dirname, '..', '..')
const [user = ''] = process.argv.slice(2)
const { findTranscripts } = await builtModule('src/tools/history/find-transcripts.ts')
const { transcriptReaders } = await builtModule('src/tools/history/readers.ts')
const { scanSessions } = await builtModule('src/tools/scan/scan.ts')
const { homeLayout } = await builtModule('src/system/home.ts')

const started = performance.now()
const places = { home: user, project: user, env: {} }
const { sessions } = findTranscripts(await transcriptReaders(), { places })
const tally = await scanSessions(
  sessions,
  { home: homeLayout(join(user, 'holdpoint'), { HOME: user }) },
  { now: () => performance.now(), threads: 2, threadFile: join(root, 'dist', 'scanner.cjs') },
)
const perSecond = (tally.calls * 1000) / (performance.now() - started)
process.stdout.write(JSON.stringify({ perSecond, maxBytes: process.resourceUsage().maxRSS * 1024 }))
