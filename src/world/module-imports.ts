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

/** Blanks and short comments. Bounded, because a stranger's file must not make this slow. */
const GAP = String.raw`\s*(?:\/\*[^*]{0,200}\*\/\s*){0,3}`
const STATIC = new RegExp(String.raw`(?<![.\w$])(?:from|import)${GAP}(['"])([^'"\n]{1,1000})\1`, 'g')
const NAMED_CALL = String.raw`(?<![.\w$])(?:import|require)${GAP}\(${GAP}(['"\x60])([^'"\x60\n$]{1,1000})\1${GAP}[,)]`
const CALLED = new RegExp(NAMED_CALL, 'g')
const CALLED_HERE = new RegExp(NAMED_CALL, 'y')
const ANY_CALL = new RegExp(String.raw`(?<![.\w$])(?:import|require)${GAP}\(`, 'g')
const COMMENT_LINE = /\n\s*(?:\/\/|\/?\*)[^\n]*$/
const LOOK_BACK = 200

function isComputed(text: string): boolean {
  for (const match of text.matchAll(ANY_CALL)) {
    CALLED_HERE.lastIndex = match.index
    if (CALLED_HERE.test(text)) continue
    const before = text.slice(Math.max(0, match.index - LOOK_BACK), match.index)
    if (!COMMENT_LINE.test(match.index <= LOOK_BACK ? `\n${before}` : before)) return true
  }
  return false
}
