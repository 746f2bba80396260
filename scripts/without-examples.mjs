// Guards contain their examples for readers, tests and the guard pages. A hook that starts for one call does not need
// them, and they would be a third of its code. The formatter ensures that a block ends where its indentation ends; a
// list in another format is not removed.
import { readFileSync } from 'node:fs'

const EXAMPLES = /^( *)examples: \{(?:\n[\s\S]*?\n\1| stops: STOPS, passes: PASSES )\},$/gm

/** @type {import('esbuild').Plugin} */
export const withoutExamples = {
  name: 'without-examples',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]policy[\\/]packs[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(EXAMPLES, 'examples: { stops: [], passes: [] },'),
      loader: 'ts',
    }))
  },
}
