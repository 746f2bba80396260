import { wordList } from '../core/word-list.ts'

/**
 * Where to look for Node if the one found by `init` is gone. System folders count only if only root can write to them;
 * then the folder of the version manager that Node came from. PATH, the working directory and the environment never
 * count, because a repository can set them.
 */
export interface NodeLocation {
  /** The Node that ran `init`. */
  readonly node: string
  /** Files of other versions next to it, with one `*` for the version; empty if no version manager is known. */
  readonly others: readonly string[]
}

export const SYSTEM_NODES = wordList(`
  /usr/local/bin/node /usr/bin/node /bin/node /opt/node/bin/node /usr/local/node/bin/node
  /snap/node/current/bin/node
`)

/** The folder layouts of version managers: the folder of one version and the path below it. */
const MANAGERS: readonly RegExp[] = [
  // nvm, and `n` with the same layout
  /^(?<before>.*\/versions\/node)\/[^/]+(?<after>\/bin\/node)$/,
  // fnm
  /^(?<before>.*\/node-versions)\/[^/]+(?<after>\/installation\/bin\/node)$/,
  // volta
  /^(?<before>.*\/tools\/image\/node)\/[^/]+(?<after>\/bin\/node)$/,
  // asdf and mise
  /^(?<before>.*\/installs\/(?:nodejs|node))\/[^/]+(?<after>\/bin\/node)$/,
  // Homebrew: `node` and `node@22` have separate folders
  /^(?<before>.*\/Cellar\/node(?:@\d+)?)\/[^/]+(?<after>\/bin\/node)$/,
]

export function locateNode(node: string): NodeLocation {
  const others = MANAGERS.flatMap((manager) => {
    const found = manager.exec(node)?.groups
    return found === undefined ? [] : [`${found.before}/*${found.after}`]
  })
  return { node, others }
}
