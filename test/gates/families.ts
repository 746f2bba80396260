import { posix } from 'node:path'
import { codeOnly, importsOf } from './scan.ts'

/**
 * All families look alike: a table that names exactly the member folders, under their own names, and in every member a
 * test that calls the family's contract suite.
 */
export function checkFamily(family: string, files: ReadonlyMap<string, string>): string[] {
  const root = `src/${family}`
  const table = files.get(`${root}/index.ts`)
  if (table === undefined) return [`${root}/index.ts is missing. Write the table of the family.`]
  const members = new Set([...files.keys()].flatMap((path) => memberOf(root, path)))
  const listed = new Set(importsOf(table).flatMap(({ specifier }) => memberOf('.', specifier ?? '')))
  const entries = [...table.matchAll(ENTRY)].map(([, , entry, , exported, folder]) => ({
    key: entry ?? exported,
    folder,
  }))
  return [
    ...[...members]
      .filter((member) => !listed.has(member))
      .map((member) => `${root}/index.ts does not name ${member}. Add its line.`),
    ...[...listed]
      .filter((member) => !members.has(member))
      .map((member) => `${root}/index.ts names ${member}, which has no folder. Remove its line.`),
    ...entries
      .filter(({ key, folder }) => key !== folder)
      .map(
        ({ key, folder }) => `${root}/index.ts calls ${folder} "${key}". A member is called as its folder.`,
      ),
    ...[...members]
      .filter((member) => ![...files].some(([path, text]) => callsContract(family, member, path, text)))
      .map((member) => `${root}/${member} has no test that calls the contract suite. Three lines do it.`),
  ]
}

/** `codex: () => import('./codex/host.ts')`, or `export { kind as http } from './http/kind.ts'`. */
const ENTRY =
  /(?:(['"]?)([\w-]+)\1\s*:\s*(?:async\s*)?\(\)\s*=>\s*import\(|\bas\s+(['"]?)([\w-]+)\3\s*\}\s*from)\s*['"]\.\/([\w-]+)\//g

function memberOf(root: string, path: string): string[] {
  const [first, second] = path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/') : []
  return first !== undefined && second !== undefined ? [first] : []
}

function callsContract(family: string, member: string, path: string, text: string): boolean {
  if (!path.startsWith(`src/${family}/${member}/`) || !path.endsWith('.test.ts')) return false
  const suite = importsOf(text).some(({ specifier, typeOnly }) => {
    const target = posix.join(posix.dirname(path), specifier ?? '')
    return !typeOnly && posix.dirname(target) === `src/${family}` && target.endsWith('.contract.ts')
  })
  return suite && /\b\w+Contract\s*\(/.test(codeOnly(text))
}
