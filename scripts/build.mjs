// Builds dist/: the library (tsc), the command line (ESM chunks), and the hook's own CommonJS files. The hook is
// CommonJS in one file because that starts fastest; what it needs only now and then stays in files of its own.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { buildNative } from './build-native.mjs'
import { withoutExamples } from './without-examples.mjs'

process.chdir(join(import.meta.dirname, '..'))
rmSync('dist', { recursive: true, force: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
})

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const sources = ['src', 'bin'].flatMap((folder) =>
  readdirSync(folder, { recursive: true }).map((file) => join(folder, file)),
)
const content = sources
  .filter((file) => file.endsWith('.ts'))
  .sort()
  .map((file) => readFileSync(file, 'utf8'))
const buildId = `${version}+${createHash('sha256').update(content.join('\0')).digest('hex').slice(0, 12)}`

/** Imports that stay imports: a file beside this one, loaded only when it is needed. */
const APART = new Map([
  ['src/compile.ts', './compile.cjs'],
  ['src/regex.ts', './regex.cjs'],
  ['bin/hook.ts', './hook.cjs'],
  ['src/commands/main.ts', './cli/main.js'],
])

const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return undefined
      const target = APART.get(join(resolveDir, path).slice(process.cwd().length + 1))
      return target === undefined ? undefined : { path: target, external: true }
    })
  },
}

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  define: { HOLDPOINT_BUILD: JSON.stringify(buildId) },
  // Its CommonJS entry loads its parts by names no bundler can follow.
  alias: { 'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js' },
  legalComments: 'none',
  logLevel: 'warning',
}
// Without `import()` a lazy file is a plain require: the ESM loader alone would cost the hook milliseconds.
const commonJs = (entry, outfile, supported = { 'dynamic-import': false }) =>
  build({
    ...common,
    entryPoints: [entry],
    outfile,
    format: 'cjs',
    minify: true,
    external: ['libsql', 'jiti'],
    supported,
    plugins: [apart, withoutExamples],
    define: {
      ...common.define,
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
  })

/** Half the memory and a fraction of the time to read: what is left beyond ASCII stands in patterns and templates. */
function toAscii(file) {
  const text = readFileSync(file, 'utf8')
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, text.replace(/[^\0-\x7f]/g, escaped))
}

await Promise.all([
  commonJs('bin/holdpoint.ts', 'dist/holdpoint.cjs', {}),
  commonJs('bin/hook.ts', 'dist/hook.cjs'),
  commonJs('bin/hook-body.ts', 'dist/hook-body.cjs'),
  commonJs('bin/daemon.ts', 'dist/daemon.cjs'),
  commonJs('bin/evaluator.ts', 'dist/evaluator.cjs'),
  commonJs('bin/keeper.ts', 'dist/keeper.cjs'),
  commonJs('bin/watchdog.ts', 'dist/watchdog.cjs'),
  commonJs('src/compile.ts', 'dist/compile.cjs'),
  commonJs('src/regex.ts', 'dist/regex.cjs'),
  commonJs('bin/module-host.ts', 'dist/module-host.cjs', {}),
  build({
    ...common,
    entryPoints: ['src/commands/main.ts'],
    outdir: 'dist/cli',
    format: 'esm',
    splitting: true,
    packages: 'external',
  }),
])
chmodSync('dist/holdpoint.cjs', 0o755)
for (const file of readdirSync('dist').filter((name) => name.endsWith('.cjs'))) toAscii(`dist/${file}`)
await buildNative({ outFile: 'dist/native/holdpoint-hook', variant: 'release' })

// One call of each kind, so that the code cache is there from the start and holds what calls really use.
const home = mkdtempSync(join(tmpdir(), 'holdpoint-build-'))
const event = {
  session_id: 'build',
  cwd: home,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: '1',
}
const input = JSON.stringify({
  ...event,
  tool_input: { command: 'cd / && bash -c "git push --force"; cat .env' },
})
for (let round = 0; round < 2; round += 1) {
  rmSync(`dist/hook-body.${process.version}.${process.arch}.cache`, { force: true })
  execFileSync(process.execPath, ['dist/hook.cjs', 'claude-code', '--home', home], {
    input,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}
rmSync(home, { recursive: true, force: true })
