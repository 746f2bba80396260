export interface Specifiers {
  readonly specifiers: readonly string[]
  /** Something is loaded under a name that only exists when the code runs. */
  readonly computed: boolean
}

/**
 * Every name a script imports. Names in comments and texts count too: one file too many is pinned then, never one
 * too few. It is for honest code; what hides an import on purpose was read by whoever trusted it.
 */
export function specifiersIn(text: string): Specifiers {
  const found = new Set<string>()
  for (const pattern of [STATIC, CALLED]) {
    for (const match of text.matchAll(pattern)) {
      const name = match[2]
      if (name !== undefined) found.add(name)
    }
  }
  return { specifiers: [...found], computed: isComputed(text) }
}

const GAP = String.raw`(?:\s|\/\*[^]*?\*\/)*`
const STATIC = new RegExp(String.raw`(?<![.\w$])(?:from|import)${GAP}(['"])([^'"\n]+)\1`, 'g')
const CALLED = new RegExp(
  String.raw`(?<![.\w$])(?:import|require|require\.resolve)${GAP}\(${GAP}(['"\x60])([^'"\x60\n$]+)\1${GAP}[,)]`,
  'g',
)
const ANY_CALL = new RegExp(String.raw`(?<![.\w$])(?:import|require)${GAP}\(`, 'g')
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/

function isComputed(text: string): boolean {
  for (const match of text.matchAll(ANY_CALL)) {
    const lineStart = text.lastIndexOf('\n', match.index) + 1
    if (COMMENT_LINE.test(text.slice(lineStart, match.index + 1))) continue
    CALLED.lastIndex = 0
    const rest = text.slice(match.index, match.index + 4096)
    const known = CALLED.exec(rest)
    CALLED.lastIndex = 0
    if (known?.index !== 0) return true
  }
  return false
}
