import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { Dimension } from './dimension.ts'
import type { Point } from './law.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/** Writes the files that a counting process runs into a folder. `module` of this folder exports the dimensions. */
export async function bundleInto(folder: string, module: string): Promise<void> {
  const entry = (name: string) => join(import.meta.dirname, `${name}.ts`)
  await build({
    entryPoints: { 'counting-process': entry('counting-process'), dimensions: entry(module) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    // Of packages that offer both, the form that can be bundled.
    mainFields: ['module', 'main'],
    format: 'esm',
    external: ['libsql'],
    banner: { js: REQUIRE },
  })
}

/** Packages in the older format call it. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"

/** The points of each dimension, by its id, at the sizes that are asked for. */
export async function countWork(
  folder: string,
  dimensions: readonly Dimension[],
  sizesOf: (dimension: Dimension) => readonly number[],
): Promise<ReadonlyMap<string, readonly Point[]>> {
  const bundle = pathToFileURL(join(folder, 'dimensions.mjs')).href
  // The bundle is outside of the repository, where Node would not find the library of SQLite.
  const env = { PATH: process.env.PATH, HOME: folder, NODE_PATH: join(ROOT, 'node_modules') }
  const counted = await Promise.all(
    (['steps', 'bytes'] as const).map(async (counts) => {
      const asked = dimensions.filter((each) => each.counts === counts)
      if (asked.length === 0) return []
      const curves = asked.map((each) => `${each.id}:${sizesOf(each).join(',')}`)
      const args = [join(folder, 'counting-process.mjs'), bundle, counts, ...curves]
      const { stdout } = await run(process.execPath, args, { env, maxBuffer: 1 << 24 })
      return Object.entries(JSON.parse(stdout) as Record<string, readonly Point[]>)
    }),
  )
  return new Map(counted.flat())
}
