/**
 * `apt-get` is `aptGet`, `7z` is `program7z`: a name that the language allows.
 * @param {string} name
 * @param {string} prefix for a name that the language does not allow
 */
export function constantFor(name, prefix) {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/)
  const joined = first + others.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('')
  return /^\d/.test(joined) || RESERVED.test(joined) ? `${prefix}${joined}` : joined
}

const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|let|new|null|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|program|cases|pack|host|source|create)$/

/**
 * Small letters, digits and single hyphens, as in the ids of all families.
 * @param {string} name
 */
export function isId(name) {
  return /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)
}

/**
 * `no-deploy` as the start of a sentence: `No deploy`.
 * @param {string} name
 */
export function titleFor(name) {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The text of a file that every clone has.
 * @param {import('./kinds.mjs').RepositoryFiles} repository
 * @param {string} path
 */
export function textOf({ read }, path) {
  const text = read(path)
  if (text === undefined) throw new Error(`${path} does not exist. Run this in a clone of the repository.`)
  return text
}

/**
 * The table of a family with one more member, before the line that ends it.
 * @param {string} table
 * @param {string} start
 * @param {string} line
 */
export function withLine(table, start, line) {
  const at = table.indexOf('\n}', table.indexOf(start))
  return `${table.slice(0, at)}\n  ${line}${table.slice(at)}`
}

/**
 * A key of a table: quoted where the language wants it.
 * @param {string} name
 */
export function keyFor(name) {
  return name.includes('-') ? `'${name}'` : name
}
