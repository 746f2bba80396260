// Scans the transcripts below a home folder on two threads, and prints how fast and with how much memory.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..')
const [user] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(join(root, 'build', file)))
const { findTranscripts } = await load('tools/history/find-transcripts.js')
const { transcriptReaders } = await load('tools/history/readers.js')
const { scanSessions } = await load('tools/scan/scan.js')
const { homeLayout } = await load('system/home.js')

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
