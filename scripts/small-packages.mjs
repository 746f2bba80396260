// The library is readable, but the names inside the packages that are bundled with it help nobody and are a tenth of it.
import { readFileSync } from 'node:fs'
import { transform } from 'esbuild'

/** @type {import('esbuild').Plugin} */
export const smallPackages = {
  name: 'small-packages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minify: true, legalComments: 'none' })
      return { contents: code, loader: 'js' }
    })
  },
}
