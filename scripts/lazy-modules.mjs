// Modules that few events need, although what every event runs imports them. In the built programs such a module is run
// when one of its functions is first called.
import { dirname, relative, sep } from 'node:path'
import { builtExports } from './built-module.mjs'

const LAZY = new Set([
  'src/core/code-lines.ts',
  'src/core/guessed-lines.ts',
  'src/core/match/linear-regex.ts',
  'src/core/named-acts.ts',
  'src/core/redact/clients.ts',
  'src/hosts/goose/config.ts',
  'src/policy/packs/implied-runs.ts',
  'src/policy/packs/secrets/found-secrets.ts',
  'src/shell/code/read.ts',
  'src/shell/code/sent.ts',
  'src/shell/flow/file-writes.ts',
  'src/shell/flow/sinks.ts',
  'src/shell/effects.ts',
  'src/shell/grammar/parse.ts',
  'src/shell/walk/interpret.ts',
  'src/shell/walk/read-commands.ts',
  'src/shell/walk/unwrap.ts',
  'src/shell/walk/walk.ts',
  'src/system/notes.ts',
])

/** Marks the module itself, where its name alone means the functions that load it. */
export const ITSELF = '?itself'

/** @type {import('esbuild').Plugin} */
export const lazyModules = {
  name: 'lazy-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?itself$/ }, ({ path }) => ({
      path: path.slice(0, -ITSELF.length),
      suffix: ITSELF,
    }))
    onLoad({ filter: /\.ts$/ }, async ({ path, suffix }) => {
      const source = relative(process.cwd(), path).split(sep).join('/')
      if (suffix === ITSELF || !LAZY.has(source)) return undefined
      const exported = Object.entries(await builtExports(source))
      const other = exported.find(([, value]) => typeof value !== 'function')
      if (other !== undefined) throw new Error(`${source} cannot be lazy: ${other[0]} is not a function`)
      const load = `let loaded\nconst load=()=>loaded=__now(import(${JSON.stringify(path + ITSELF)}))\n`
      const functions = exported.map(
        ([name]) => `export function ${name}(...given){return(loaded??load()).${name}(...given)}\n`,
      )
      return { contents: load + functions.join(''), loader: 'js', resolveDir: dirname(path) }
    })
  },
}
