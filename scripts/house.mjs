// `npm run house`: prints the structure of the source tree: what each folder imports, cycles, files in the
// root, exported names with several meanings, and the files that one denied command runs through.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { cyclesIn, importsByFolder } from './house-graph.mjs'
import { countsForNames, SHARED_NAMES, sharedNames } from './house-names.mjs'

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')

const files = readdirSync(src, { recursive: true }).filter(countsForNames)
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))

const graph = importsByFolder(texts)
printSection('Root of src', [
  `files: ${files.filter((file) => !file.includes('/')).join(', ')}`,
  `folders: ${graph.size} (${[...graph.keys()].join(', ')})`,
])
printSection(
  'What each room imports',
  [...graph].map(([room, others]) => `${room.padEnd(10)} ${[...others].sort().join(' ')}`),
)
const cycles = cyclesIn(graph)
printSection('Cycles', cycles.length === 0 ? ['none'] : cycles)
printSection('Exported names with several meanings', collisions())
printSection(
  'Files that a denied `git push --force` runs through',
  await crossed('git push --force origin main'),
)

function collisions() {
  const shared = [...sharedNames(texts)]
  const explained = shared.filter(([name]) => SHARED_NAMES.has(name))
  const others = shared.filter(([name]) => !SHARED_NAMES.has(name))
  return [
    ...others.map(([name, where]) => `${name}: ${where.join(', ')}`),
    `${others.length} unexplained; ${explained.length} with a reason:`,
    ...explained.map(([name, where]) => `  ${name} (${where.length}): ${SHARED_NAMES.get(name)}`),
  ]
}

/** Counted by V8: files with at least one function that ran in a second call, after everything was loaded. */
async function crossed(command) {
  const load = (file) => import(pathToFileURL(join(root, 'build', file)))
  const { createResponder } = await load('app/responder.js')
  const { createMemoryState } = await load('storage/state/memory-state.js')
  const { homeLayout } = await load('system/home.js')
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-house-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const home = { ...homeLayout(join(folder, 'home'), { HOME: folder }), managedConfig: join(folder, 'none') }
  const responder = createResponder({
    home,
    state: createMemoryState(),
    now: () => performance.now(),
    uncached: true,
  })
  const ask = (id) =>
    responder.respond({
      ...{ host: 'claude-code', event: 'PreToolUse', cwd: '/srv', env: {}, skills: [] },
      payload: JSON.stringify({
        ...{ session_id: 's', transcript_path: '/t', cwd: '/srv', hook_event_name: 'PreToolUse' },
        ...{ tool_name: 'Bash', tool_use_id: id, tool_input: { command } },
      }),
    })
  await ask('1')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const { reply } = await ask('2')
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  if (!reply.stdout.includes('"deny"')) throw new Error(`${command} was not denied`)
  const ran = result
    .filter(
      ({ url, functions }) => url.includes('/build/') && functions.some(({ ranges }) => ranges[0].count > 0),
    )
    .map(({ url }) => relative(join(root, 'build'), fileURLToPath(url)))
  const byRoom = Map.groupBy === undefined ? groupBy(ran, roomOf) : Map.groupBy(ran, roomOf)
  return [
    `${ran.length} files, ${ran.filter((file) => !file.includes('/')).length} of them in the root`,
    ...[...byRoom].sort((a, b) => b[1].length - a[1].length).map(([room, all]) => `  ${room}: ${all.length}`),
  ]
}

function groupBy(items, key) {
  const groups = new Map()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

function printSection(title, lines) {
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`)
}
