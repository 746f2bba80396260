/** What a committed file may contain, and what the error page must say: functions from texts to complaints. */

/** A larger file slows down every clone. */
export const FILE_MAX_BYTES = 300 * 1024

/** The repository is self-contained: it names no path of the machine on which it was written. */
export function checkText(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    MACHINE_PATHS.flatMap((pattern) => {
      const found = pattern.exec(line)?.[0]
      return found === undefined
        ? []
        : [
            `${path}:${index + 1} names ${found.trim()}, a place on one machine. Use /srv/project or /home/dev.`,
          ]
    }),
  )
}

// Written in pieces, so that this file does not name them.
const MACHINE_PATHS = [
  new RegExp(['\\.\\.', 'shared\\b'].join('/')),
  new RegExp(['(?<![\\w.~})-])', 'work', ''].join('/')),
  // Home folders of invented people are fine in examples; any other may belong to a real person.
  /(?<![\w.~})-])\/(?:home|Users)\/(?!(?:dev|test|user|me|you|alice|bob|runner|example)\b)[A-Za-z][\w.-]*/,
  /\b[A-Z]:\\{1,2}Users\\{1,2}(?!(?:dev|test|user|me|you|alice|bob|runner|example)\b)[A-Za-z]/,
]

/** The page and the table of errors must agree in both directions: code, exit code and advice. */
export function checkErrorPage(
  page: string,
  table: Readonly<Record<string, { readonly exit: number; readonly fix: string }>>,
): string[] {
  const rows = new Map(page.split('\n').flatMap(errorRow))
  const undocumented = Object.entries(table).flatMap(([code, { exit, fix }]) => {
    const row = rows.get(code)
    if (row === undefined)
      return [`${code} is not on the page. Add: | \`${code}\` | ${exit} | meaning | ${fix} |`]
    if (row.exit !== String(exit)) return [`${code} exits with ${exit}; the page says ${row.exit}.`]
    if (row.meaning === '') return [`${code} has no meaning on the page. Say what happened.`]
    return row.fix === fix ? [] : [`${code} advises "${fix}"; the page says "${row.fix}".`]
  })
  const unknown = [...rows.keys()].filter((code) => !Object.hasOwn(table, code))
  return [
    ...undocumented,
    ...unknown.map((code) => `${code} is on the page and in no table. Remove its row.`),
  ]
}

/** ``| `CODE` | exit | meaning | fix |``, where a bar inside a cell is written `\|`. */
function errorRow(line: string): [string, { exit: string; meaning: string; fix: string }][] {
  const [, first = '', exit = '', meaning = '', fix = ''] = line
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
  const code = /^`([A-Z_]+)`$/.exec(first)?.[1]
  return code === undefined ? [] : [[code, { exit, meaning, fix }]]
}

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >
}

/** Optional packages that a lock file leaves out: `npm ci` refuses such a file on a machine without a cache. */
export function checkLockFile({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`node_modules/${name}`] === undefined &&
        packages[`${path}/node_modules/${name}`] === undefined,
    ),
  )
}
