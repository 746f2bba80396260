// Most events concern few guards, and which ones is known by their topics. In the built programs the file of a guard that
// names topics is run when an event has one of them, not at the start. What is known of a guard before is worked out here.
import { readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { builtExports, builtModule } from './built-module.mjs'
import { ITSELF } from './lazy-modules.mjs'

const PACKS = 'src/policy/packs'
const TOPICS = 'src/policy/analysis/topics.ts'
const LAZY_GUARD = 'src/policy/packs/lazy-guard.ts'

/** The guards of one folder are run together: a chunk for each would have more imports than code. */
const FOLDER = 'guards-in'

/** @type {import('esbuild').Plugin} */
export const lazyGuards = {
  name: 'lazy-guards',
  setup({ onLoad, onResolve, onStart }) {
    /** @type {Awaited<ReturnType<typeof guardFiles>>} */
    let files
    onStart(async () => {
      files = await guardFiles()
    })
    onResolve({ filter: new RegExp(`^${FOLDER}:`) }, ({ path }) => ({
      path: path.slice(FOLDER.length + 1),
      namespace: FOLDER,
    }))
    onLoad({ filter: /./, namespace: FOLDER }, ({ path: folder }) => {
      const own = [...files.keys()].filter((file) => dirname(file) === folder)
      const contents = own.map(
        (file) => `export * from ${JSON.stringify(join(process.cwd(), file) + ITSELF)}`,
      )
      return { contents: contents.join('\n'), loader: 'js', resolveDir: process.cwd() }
    })
    onLoad({ filter: /[\\/]src[\\/]policy[\\/]packs[\\/].*\.ts$/ }, ({ path, suffix }) => {
      const source = relative(process.cwd(), path).split(sep).join('/')
      const guards = suffix === ITSELF ? undefined : files.get(source)
      if (guards === undefined) return undefined
      /** @param {string} file */
      const from = (file) => JSON.stringify(join(process.cwd(), file))
      const contents = [
        `import { commandTopics, pathTopics } from ${from(TOPICS)}`,
        `import { lazyGuard } from ${from(LAZY_GUARD)}`,
        `let loaded`,
        `const load=()=>loaded??=__now(import(${JSON.stringify(`${FOLDER}:${dirname(source)}`)}))`,
        ...guards.map(({ name, known, hasConcerns }) => {
          return `export const ${name}=lazyGuard(${known},${hasConcerns},()=>load().${name})`
        }),
      ]
      return { contents: contents.join('\n'), loader: 'js', resolveDir: dirname(path) }
    })
  },
}

/** The files that export nothing but guards that are found by topics. */
async function guardFiles() {
  const { PACKS: packs } = await builtModule('src/policy/packs/index.ts')
  const all = (await Promise.all(Object.values(packs).map((load) => load()))).flatMap((pack) => pack.guards)
  const finders = await builtModule(TOPICS)
  /** @type {Map<string, { readonly name: string, readonly known: string, readonly hasConcerns: boolean }[]>} */
  const files = new Map()
  for (const file of readdirSync(PACKS, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || /\.(?:test|contract|fixture)\.ts$/.test(file)) continue
    const source = `${PACKS}/${file.split(sep).join('/')}`
    const exported = Object.entries(await builtExports(source))
    const guards = exported.flatMap(([name, value]) => {
      const guard = all.find((each) => each === value)
      return guard?.topics !== undefined && isPlain(guard)
        ? [described(name, guard, guard.topics, finders)]
        : []
    })
    if (guards.length > 0 && guards.length === exported.length) files.set(source, guards)
  }
  if (files.size < 50) throw new Error(`only ${files.size} files of guards could be made lazy`)
  return files
}

/**
 * These must be known before an event is: whether programs must run for it, or what it reads besides the call.
 * @param {import('../src/core/guard.ts').Guard} guard
 */
function isPlain({ needs, knowsAgents, readsDelivery }) {
  return needs === undefined && knowsAgents !== true && readsDelivery !== true
}

/** With these, a plan is made without running the file of any guard. All of them are plain data. */
const KNOWN = /** @type {const} */ ([
  'id',
  'on',
  'match',
  'modes',
  'skill',
  'grants',
  'undoable',
  'onFailure',
  'timeoutMs',
])

/**
 * @param {string} name
 * @param {import('../src/core/guard.ts').Guard} guard
 * @param {readonly import('../src/core/guard.ts').Topics[]} topics
 * @param {import('./built-module.mjs').BuiltModules['src/policy/analysis/topics.ts']} finders
 */
function described(name, guard, topics, { commandTopics, pathTopics }) {
  const { id, concerns } = guard
  const byFinder = Object.entries({ commandTopics, pathTopics }).flatMap(([finder, of]) => {
    const any = [...new Set(topics.filter((each) => each.of === of).flatMap((each) => each.any))]
    return any.length === 0 ? [] : [`{of:${finder},any:${JSON.stringify(any)}}`]
  })
  if (topics.some(({ of }) => of !== commandTopics && of !== pathTopics))
    throw new Error(`${id} has topics that are found in another way`)
  const fields = KNOWN.flatMap((key) =>
    guard[key] === undefined ? [] : [`${key}:${JSON.stringify(guard[key])}`],
  )
  const known = `{${fields},topics:[${byFinder}]}`
  return { name, known, hasConcerns: concerns !== undefined }
}
