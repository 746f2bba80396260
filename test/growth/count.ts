import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Point } from './law.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The files that a counting process runs, written into a folder. `dimensions` is a module of this folder. */
export async function bundleInto(folder: string, dimensions = 'dimensions.ts'): Promise<void> {
  await build({
    entryPoints: {
      'counting-process': join(import.meta.dirname, 'counting-process.ts'),
      dimensions: join(import.meta.dirname, dimensions),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    external: ['libsql'],
    logLevel: 'error',
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  })
}

export function countWork(folder: string, id: string, sizes: readonly number[]): readonly Point[] {
  const bundle = pathToFileURL(join(folder, 'dimensions.mjs')).href
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(folder, 'counting-process.mjs'), bundle, id, ...sizes.map(String)],
    // The bundle is outside of the repository, where Node would not find the library of SQLite.
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, NODE_PATH: join(ROOT, 'node_modules') },
    },
  )
  if (status !== 0) throw new Error(`the work of ${id} could not be counted: ${stderr}`)
  return JSON.parse(stdout)
}
