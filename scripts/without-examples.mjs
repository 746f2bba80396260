// Guards carry their examples: data for readers, tests and the guard pages. A hook that starts for one call does not
// need them, and they are a third of what it would have to load. The formatter sees to it that a block ends where its
// indentation says; an example list written in another way stays in.
import { readFileSync } from 'node:fs'

const EXAMPLES = /^( *)examples: \{\n[\s\S]*?\n\1\},$/gm

export const withoutExamples = {
  name: 'without-examples',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]packs[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(EXAMPLES, 'examples: { stops: [], passes: [] },'),
      loader: 'ts',
    }))
  },
}
