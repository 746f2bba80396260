import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** The files of the browser's part, built by scripts/build.mjs. */
export interface Asset {
  readonly type: string
  readonly bytes: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const INDEX = 'index.html'

/** Read once: what is served does not change while the board runs, whatever happens to the files. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = TYPES[extname(name)]
      return type === undefined ? [] : [[name, { type, bytes: readFileSync(join(folder, name)) }] as const]
    }),
  )
}

/** A path without an extension is a page. Nothing is looked up on the disk. */
export function assetFor(assets: ReadonlyMap<string, Asset>, path: string): Asset | undefined {
  const name = path.slice(1)
  if (assets.has(name) && name !== INDEX) return assets.get(name)
  return extname(path) === '' || path.startsWith('/why/') || path.startsWith('/sessions/')
    ? assets.get(INDEX)
    : undefined
}
