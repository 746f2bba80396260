// zod contains its messages in fifty languages, a quarter of a megabyte that a bundler does not remove by
// itself. Only English is used.
import { dirname } from 'node:path'

/** @type {import('esbuild').Plugin} */
export const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      loader: 'js',
      resolveDir: dirname(path),
    }))
  },
}
