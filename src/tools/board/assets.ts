import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

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
export function readAssets(file: string): ReadonlyMap<string, Asset> {
  const texts: Readonly<Record<string, string>> = JSON.parse(
    brotliDecompressSync(readFileSync(file)).toString('utf8'),
  )
  return new Map(
    Object.entries(texts).flatMap(([name, text]) => {
      const type = TYPES[extname(name)]
      return type === undefined ? [] : [[name, { type, bytes: Buffer.from(text) }] as const]
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
