// `npm run house`: prints the structure of the source tree: what each folder imports, cycles, files in the
// root, exported names with several meanings, and the files that one denied command runs through.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtModule } from './built-module.mjs'
import { cyclesIn, folderOf, importsByFolder } from './house-graph.mjs'
import { countsForNames, SHARED_NAMES, sharedNames } from './house-names.mjs'

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(countsForNames)
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))

const graph = importsByFolder(texts)
printSection('Root of src', [
  `files: ${files.filter((file) => !file.includes('/')).join(', ')}`,
  `folders: ${graph.size} (${[...graph.keys()].join(', ')})`,
])
printSection(
  'What each folder imports',
  [...graph].map(([folder, others]) => `${folder.padEnd(10)} ${[...others].sort().join(' ')}`),
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

/**
 * Counted by V8: files with at least one function that ran in a second call, after everything was loaded.
 * @param {string} command
 */
async function crossed(command) {
  const { createResponder } = await builtModule('src/app/responder.ts')
  const { createMemoryState } = await builtModule('src/storage/state/memory-state.ts')
  const { homeLayout } = await builtModule('src/system/home.ts')
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-house-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const home = { ...homeLayout(join(folder, 'home'), { HOME: folder }), managedConfig: join(folder, 'none') }
  const responder = createResponder({
    home,
    state: createMemoryState(),
    now: () => performance.now(),
    uncached: true,
  })
  /** @param {string} id */
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
      ({ url, functions }) =>
        url.includes('/build/') && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => relative(join(root, 'build'), fileURLToPath(url)))
  /** @type {Map<string, number>} */
  const byFolder = new Map()
  for (const file of ran) byFolder.set(folderOf(file), (byFolder.get(folderOf(file)) ?? 0) + 1)
  return [
    `${ran.length} files, ${ran.filter((file) => !file.includes('/')).length} of them in the root`,
    ...[...byFolder].sort((a, b) => b[1] - a[1]).map(([folder, count]) => `  ${folder}: ${count}`),
  ]
}

/**
 * @param {string} title
 * @param {readonly string[]} lines
 */
function printSection(title, lines) {
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`)
}
