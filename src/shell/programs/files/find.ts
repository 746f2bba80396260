import type { Launch, LaunchCall } from '../../vocabulary/launch.ts'
import { withEach, withItem } from '../aspects/list-inputs.ts'
import { program } from '../program.ts'
import { foundByFd, listedByFd, readFd, searchedNames } from './fd-call.ts'
import { foundPaths, readFind } from './find-call.ts'
import { deletions } from './reached.ts'
import { writes } from './writing.ts'

/** What it runs (`-exec`) is a command of its own, with what was found in place of `{}`. */
export const find = program('find', {
  does: ({ command }) => {
    const call = readFind(command.args)
    const deleted = call.actions
      .filter((action) => action.name === '-delete')
      .flatMap((action) => deletions(foundPaths(call, action), command.cwd, { recursive: true }))
    return [...deleted, ...call.lists.flatMap((file) => writes(file, command.cwd))]
  },
  starts: ({ args }) => {
    const call = readFind(args)
    const found = foundPaths(call)
    const runs = call.actions
      .filter((action) => action.words.length > 0)
      .map((action) => ({
        via: `find ${action.name}`,
        words: action.words.map((word) => withItem(word, '{}', found)),
        // -execdir runs in the folder of what was found.
        ...(action.name.endsWith('dir') ? { moved: { cwd: undefined } } : {}),
      }))
    return { own: args.length, runs }
  },
  files: { operands: 'metadata' },
  prints: (args) => foundPaths(readFind(args)).forms,
})

const FD_MARKERS = ['{}', '{/}', '{//}', '{.}', '{/.}']

export const fd = program('fd fdfind', {
  starts: ({ name, args }: LaunchCall): Launch | undefined => {
    const call = readFd(args)
    if (call.runs === undefined || call.runs.words.length === 0) return undefined
    const words = withEach(call.runs.words, FD_MARKERS, foundByFd(call))
    return { own: call.runs.at, runs: [{ via: `${name} -x`, words, takesInput: true }] }
  },
  files: { operands: 'metadata' },
  lists: ({ args }) => searchedNames(args),
  prints: listedByFd,
})
