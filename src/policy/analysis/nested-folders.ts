import type { Facts } from '../../core/facts.ts'
import { wordSet } from '../../core/word-list.ts'

/** Nobody keeps instructions there, and they can have very many folders. */
const PASSED_OVER = wordSet('node_modules .git .hg .svn .venv venv __pycache__ target dist build vendor')

const DEPTH_MAX = 6
const FOLDERS_MAX = 1500

/**
 * The folders below `root` in which there is a `name`, nearest first, without `root` itself. Names that look like files
 * are opened last, because nothing but opening them tells.
 */
export async function foldersBelow(root: string, name: string, facts: Facts): Promise<readonly string[]> {
  const found: string[] = []
  let level: readonly string[] = [root]
  let left = FOLDERS_MAX
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0 && left > 0; depth += 1) {
    const next: string[] = []
    const looked = level.slice(0, left)
    left -= looked.length
    for (const folder of looked) {
      const names = await facts.list(folder)
      if (folder !== root && names.includes(name)) found.push(folder)
      next.push(
        ...names.filter((each) => !PASSED_OVER.has(each) && each !== name).map((each) => `${folder}/${each}`),
      )
    }
    level = [...next.filter((path) => !looksLikeFile(path)), ...next.filter(looksLikeFile)]
  }
  return found
}

function looksLikeFile(path: string): boolean {
  return /[^/]\.[A-Za-z0-9]{1,6}$/.test(path)
}
