// Builds dist/: the programs (CommonJS, one shared file), the library (ES modules) and its types.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildId, filesBelow, noteBuilt, sourcesOf } from './build-id.mjs'
import { buildClients } from './build-native.mjs'
import { buildChunks, toAscii } from './chunks.mjs'
import { eagerHosts } from './eager-hosts.mjs'
import { englishOnly } from './english-only.mjs'
import { lazyGuards } from './lazy-guards.mjs'
import { lazyModules } from './lazy-modules.mjs'
import { lazyPacks } from './lazy-packs.mjs'
import { lazyPrograms } from './lazy-programs.mjs'
import { lazySpawn } from './lazy-spawn.mjs'
import { smallPackages } from './small-packages.mjs'
import { thirdPartyNotices } from './third-party.mjs'
import { withoutExamples } from './without-examples.mjs'

process.chdir(join(import.meta.dirname, '..'))
const started = performance.now()

/** What npm installs next to the package; everything else is bundled. */
const EXTERNAL = ['jiti', 'ai', '@openai/agents', 'vitest', 'fast-check']

const root = process.cwd()
const id = buildId(root)

/** @satisfies {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  define: { HOLDPOINT_BUILD: JSON.stringify(id) },
  // Their CommonJS entries load parts by names that a bundler cannot follow, or by a `require` that ES
  // modules do not have.
  alias: {
    'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
    yaml: './node_modules/yaml/browser/index.js',
  },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  plugins: [withoutExamples, englishOnly],
}

/**
 * A program of its own. CommonJS starts fastest.
 * @param {string} name
 */
async function program(name) {
  const outfile = `dist/${name}.cjs`
  const { metafile } = await build({
    ...common,
    entryPoints: [`bin/${name}.ts`],
    outfile,
    format: 'cjs',
    minify: true,
    // A user's module may be an ES module; Holdpoint's own are in the same file.
    supported: { 'dynamic-import': name === 'module-host' },
    define: { ...common.define, 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  })
  writeFileSync(outfile, toAscii(readFileSync(outfile, 'utf8')))
  return metafile
}

/**
 * Everything that programs share: what every hook needs in `programs.cjs`, what a command needs in
 * `programs-command.cjs`, the rest in `programs-rest.cjs`. Only what a call needs is read, run, compiled and kept in the
 * code cache.
 */
async function programs() {
  const { texts, places, metafile } = await buildChunks({
    ...common,
    entryPoints: ['bin/programs.ts'],
    first: 'src/commands/hook.ts',
    always: (path) =>
      /^src\/(hosts\/|handlers\/guard\/|policy\/packs\/(safety|secrets|self)\/pack\.ts$)/.test(path),
    near: (path) => /^src\/(core|handlers|hosts|policy|shell)\//.test(path),
    plugins: [lazyModules, lazyPrograms, lazyPacks, lazyGuards, lazySpawn, ...common.plugins],
    minify: true,
    define: { ...common.define, 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  })
  for (const [at, name] of ['programs', 'programs-command', 'programs-rest'].entries()) {
    writeFileSync(`dist/${name}.cjs`, texts[at] ?? '')
  }
  writeFileSync('dist/programs-chunks.json', JSON.stringify(places))
  return metafile
}

/** SQLite for Node 20: its JavaScript alone. The binaries are packages of their own, one for each platform. */
async function libsql() {
  const { metafile } = await build({
    ...common,
    entryPoints: ['node_modules/libsql/index.js'],
    outfile: 'dist/libsql.cjs',
    format: 'cjs',
    minify: true,
  })
  return metafile
}

/**
 * The library: its entries share chunks. Its own code keeps its names and has short lines, so that a stack trace and the
 * line that Node prints with an error can be read.
 */
async function library() {
  const { metafile } = await build({
    ...common,
    entryPoints: {
      index: 'src/index.ts',
      testing: 'src/library/testing/index.ts',
      contracts: 'src/library/testing/contracts.ts',
      massgen: 'src/adapters/massgen/index.ts',
      ai: 'src/adapters/ai/index.ts',
      'claude-agent': 'src/adapters/claude-agent/index.ts',
      'openai-agents': 'src/adapters/openai-agents/index.ts',
      'hook-utils': 'src/library/hook-utils/index.ts',
      shell: 'src/library/shell/index.ts',
    },
    outdir: 'dist/lib',
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    splitting: true,
    plugins: [...common.plugins, eagerHosts, smallPackages],
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
  })
  return metafile
}

/** The package for the central side: everything it needs is in its files, as in the programs. */
async function fleet() {
  const folder = 'packages/fleet/dist'
  rmSync(folder, { recursive: true, force: true })
  const { metafile } = await build({
    ...common,
    // Only if somebody installs it; the JavaScript client is used.
    external: [...EXTERNAL, 'pg-native', 'pg-cloudflare'],
    entryPoints: {
      collector: 'packages/fleet/src/collector.ts',
      telemetry: 'packages/fleet/src/telemetry.ts',
    },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    define: { ...common.define, 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  })
  writeFileSync(`${folder}/THIRD-PARTY.txt`, thirdPartyNotices([metafile]))
  return metafile
}

/**
 * One file without chunks, because nothing else of the package is where it is loaded.
 * @param {string} entry
 * @param {string} outfile
 */
async function oneModule(entry, outfile) {
  const { metafile } = await build({
    ...common,
    entryPoints: [entry],
    outfile,
    format: 'esm',
    minify: true,
  })
  return metafile
}

/**
 * Every module separately in build/, for benchmarks and generators that need internals; and in dist/types
 * only the declarations that an entry of the package uses.
 */
function types() {
  const tsc = 'node_modules/typescript/bin/tsc'
  // `npm test` checks all types at the same time.
  const unchecked = process.env.HOLDPOINT_BUILD_UNCHECKED === '1' ? ['--noCheck'] : []
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...unchecked], { stdio: 'inherit' })
  const kept = new Set()
  /** @param {string} file */
  const keep = (file) => {
    if (kept.has(file)) return
    kept.add(file)
    const declared = file.endsWith(`${sep}act-ids.d.ts`) ? actIds(file) : readFileSync(file, 'utf8')
    const text = declared.replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1')
    const to = join('dist/types', relative('build', file))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, text)
    for (const [, , path = ''] of text.matchAll(/(['"])(\.{1,2}\/[^'"]+)\.js\1/g)) {
      keep(`${resolve(dirname(file), path)}.d.ts`)
    }
  }
  /** @type {Readonly<Record<string, { readonly types?: string }>>} */
  const entries = JSON.parse(readFileSync('package.json', 'utf8')).exports
  for (const { types } of Object.values(entries)) {
    if (types !== undefined) keep(resolve(types.replace('./dist/types', 'build')))
  }
}

/**
 * The union of all acts, written out: derived, it would need the declarations of everything that programs are made of.
 * @param {string} file
 */
function actIds(file) {
  const modules = [...readFileSync(file, 'utf8').matchAll(/import\((['"])(\.\/[^'"]+)\.[jt]s\1\)/g)]
  const ids = modules.flatMap(([, , path = '']) => {
    const text = readFileSync(`${resolve(dirname(file), path)}.d.ts`, 'utf8')
    return [...text.matchAll(/NamedAct<"([^"]+)">/g)].map(([, id]) => id)
  })
  if (ids.length < 50) throw new Error(`only ${ids.length} acts were found in the declarations`)
  const union = [...new Set(ids)].sort().map((id) => `  | '${id}'`)
  return `/** Every act that Holdpoint knows. */\nexport type ActId =\n${union.join('\n')}\n`
}

/** The browser's part of the board, as one file: a script, a style sheet, the page that loads them, and its picture. */
async function board() {
  const { metafile, outputFiles } = await build({
    bundle: true,
    entryPoints: { app: 'src/tools/board/web/main.tsx' },
    outdir: 'board',
    write: false,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfig: 'src/tools/board/web/tsconfig.json',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  const built = outputFiles.map(({ path, text }) => /** @type {const} */ ([basename(path), text]))
  const plain = ['index.html', 'icon.svg'].map(
    (name) => /** @type {const} */ ([name, readFileSync(`src/tools/board/web/${name}`, 'utf8')]),
  )
  packTexts('dist/board.json.br', [...built, ...plain])
  return metafile
}

/**
 * @param {string} file
 * @param {readonly (readonly [path: string, text: string])[]} texts
 */
function packTexts(file, texts) {
  writeFileSync(file, brotliCompressSync(JSON.stringify(Object.fromEntries(texts))))
}

/**
 * A build whose sources are not all known would not be repeated when one of them changes.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 */
function checkSources(metafiles) {
  const known = new Set(sourcesOf(root))
  // Without the names of the plugins that made a module, and without what they add to its path.
  const files = metafiles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .map((input) => input.replace(/^[a-z-]+:/, '').replace(/\?.*$/, ''))
  const unknown = files.find(
    (file) =>
      existsSync(file) && statSync(file).isFile() && !file.includes('node_modules/') && !known.has(file),
  )
  if (unknown !== undefined)
    throw new Error(`scripts/build-id.mjs does not name ${unknown}, which is in dist/`)
}

/**
 * @template Result
 * @param {string} name
 * @param {() => Result | Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function step(name, work) {
  process.stdout.write(`${name} … `)
  const from = performance.now()
  const result = await work()
  process.stdout.write(`${((performance.now() - from) / 1000).toFixed(1)} s\n`)
  return result
}

for (const folder of ['dist', 'build']) rmSync(folder, { recursive: true, force: true })
await step('types', types)
const metafiles = [
  await step('library', library),
  await oneModule('src/adapters/client/client.ts', 'dist/lib/client.js'),
  await oneModule('src/adapters/client/plugins/index.ts', 'dist/plugins.mjs'),
  await libsql(),
  await step('board', board),
  ...(await step('programs', () =>
    Promise.all(
      [
        'holdpoint',
        'hook',
        'daemon',
        'evaluator',
        'journal',
        'fleet',
        'watchdog',
        'module-host',
        'scanner',
        'checker',
        'board-reader',
      ]
        .map(program)
        .concat(programs()),
    ),
  )),
]
chmodSync('dist/holdpoint.cjs', 0o755)
writeFileSync('dist/THIRD-PARTY.txt', thirdPartyNotices(metafiles))
metafiles.push(await step('fleet', fleet))
checkSources(metafiles)
await step('native clients', buildClients)
noteBuilt(
  root,
  id,
  ['dist', 'packages/fleet/dist'].flatMap((folder) => filesBelow(root, folder)),
)
process.stdout.write(`dist/ is ${id}, built in ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
