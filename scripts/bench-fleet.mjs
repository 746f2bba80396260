// `npm run bench:fleet -- ingest|fleet|query`: bundles packages/fleet/bench and starts it. It needs PostgreSQL
// (`apt-get install postgresql`) and takes minutes; it is no part of the tests.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const outdir = join(root, 'packages/fleet/bench/dist')
await build({
  absWorkingDir: root,
  entryPoints: ['main', 'sim-worker', 'ingest-worker'].map((name) => `packages/fleet/bench/${name}.ts`),
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: false,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: ['pg', 'pg-copy-streams', 'pg-native', 'libsql'],
  define: { HOLDPOINT_BUILD: '"bench"' },
  logLevel: 'warning',
})
const { status } = spawnSync(process.execPath, [join(outdir, 'main.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: root,
})
process.exit(status ?? 1)
