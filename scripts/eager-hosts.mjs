// The library loads the tables of hosts only when it needs one. A file of its own for each host, and for each part
// that two of them share, would be a hundred files of a kilobyte.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** @type {import('esbuild').Plugin} */
export const eagerHosts = {
  name: 'eager-hosts',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]hosts[\\/](index|installers)\.ts$/ }, ({ path }) => {
      /** @type {string[]} */
      const paths = []
      const table = readFileSync(path, 'utf8').replaceAll(/import\('([^']+)'\)/g, (_all, from) => {
        paths.push(from)
        return `Promise.resolve(host${paths.length})`
      })
      const imports = paths.map((from, at) => `import * as host${at + 1} from '${from}'\n`)
      return { contents: imports.join('') + table, loader: 'ts', resolveDir: dirname(path) }
    })
  },
}
