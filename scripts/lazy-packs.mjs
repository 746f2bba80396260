// A plan needs the name of every pack, and the guards of those that are on. In the built programs, the packs that are off
// unless a configuration names them are run when something else of them is asked for.
import { dirname, relative, sep } from 'node:path'
import { builtModule } from './built-module.mjs'
import { ITSELF } from './lazy-modules.mjs'

const LAZY_PACK = 'src/policy/packs/lazy-pack.ts'
/** They are on if nothing is configured. */
const USUAL = new Set(['safety', 'secrets', 'self'])

/** @type {import('esbuild').Plugin} */
export const lazyPacks = {
  name: 'lazy-packs',
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/]src[\\/]policy[\\/]packs[\\/][^\\/]+[\\/]pack\.ts$/ },
      async ({ path, suffix }) => {
        const [, id = ''] =
          /^src\/policy\/packs\/([^/]+)\//.exec(relative(process.cwd(), path).split(sep).join('/')) ?? []
        const { PACKS } = await builtModule('src/policy/packs/index.ts')
        const pack = suffix === ITSELF || USUAL.has(id) ? undefined : await PACKS[id]?.()
        if (pack === undefined) return undefined
        const { id: name, title, ...rest } = pack
        const known = JSON.stringify({ id: name, title })
        const contents = [
          `import { lazyPack } from ${JSON.stringify(`${process.cwd()}/${LAZY_PACK}`)}`,
          `let loaded`,
          `const load=()=>(loaded??=__now(import(${JSON.stringify(path + ITSELF)}))).pack`,
          `export const pack=lazyPack(${known},${JSON.stringify(Object.keys(rest))},load)`,
        ]
        return { contents: contents.join('\n'), loader: 'js', resolveDir: dirname(path) }
      },
    )
  },
}
