import { lexer, walkTokens } from 'marked'

/**
 * Files and folders that a page for contributors names in code must exist: complaints, or nothing. `<id>` stands for any
 * name and `…` for any rest. A path may leave out the folders in front: `daemon/protocol.ts`, `protocol.ts`.
 *
 * @example
 * missingPaths('`src/hosts/<id>/decode.ts`', ['src/hosts/codex/decode.ts']) // []
 */
export function missingPaths(page: string, files: readonly string[]): string[] {
  const folders = files.flatMap((file) => foldersOf(file))
  const known = [...new Set([...files, ...folders])]
  return [...new Set(codeOf(page).flatMap((code) => pathsIn(code)))].filter((path) => {
    const wanted = patternOf(path)
    return !known.some((each) => wanted.test(each))
  })
}

function codeOf(page: string): string[] {
  const codes: string[] = []
  void walkTokens(lexer(page), (token) => {
    if (token.type === 'codespan' || token.type === 'code') codes.push(String(token.text))
  })
  return codes
}

/** Words below a folder of the repository, and names of source files. */
const IN_REPOSITORY =
  /(?<![\w./<>~-])(?:(?:bin|demo|docs|examples|native|plugin|schema|scripts|skills|src|test)\/[\w<>./…-]*|[\w<>./-]+\.(?:ts|mjs|c))(?![\w/])/g

function pathsIn(code: string): string[] {
  return [...code.matchAll(IN_REPOSITORY)].map(([path]) => path.replace(/[/.]+$/, ''))
}

function patternOf(path: string): RegExp {
  const parts = path.split(/(<[^>]*>|…)/).map((part) => {
    if (part === '…') return '.*'
    return part.startsWith('<') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`(?:^|/)${parts.join('')}$`)
}

function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
