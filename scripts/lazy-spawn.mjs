// The command line loads what starts programs, with twelve modules of Node, only to start a subcommand that is a program.
// Holdpoint has none.
import { readFileSync } from 'node:fs'

const EAGER = "const childProcess = require('node:child_process');"
const LAZY = "const childProcess = { spawn: (...given) => require('node:child_process').spawn(...given) };"

/** @type {import('esbuild').Plugin} */
export const lazySpawn = {
  name: 'lazy-spawn',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes(EAGER)) throw new Error(`${path} no longer says: ${EAGER}`)
      return { contents: source.replace(EAGER, LAZY), loader: 'js' }
    })
  },
}
