import { globMatcher, parseGlob } from '../../glob.ts'
import type { RegexEngine } from '../../pattern.ts'
import { mayMatch } from '../../shell/patterns.ts'
import { exactForm, type Form, type Word } from '../../shell/words.ts'
import type { TextTest } from '../rule.ts'
import type { Scene } from './scene.ts'
import { anyOf, oneOfThese, type Truth } from './truth.ts'

/** A list of patterns, ready to run: any of them may match. */
export interface TextJudge {
  /** A text that is known. */
  text(text: string, scene: Scene): Truth
  /** A word of a command, which may be known in part or not at all. */
  word(word: Word, scene: Scene): Truth
  form(form: Form, scene: Scene): Truth
}

/** Throws where a pattern makes no sense: the plan is then of another version, and the rule a failed hook. */
export function compileText(tests: readonly TextTest[], engine: RegexEngine): TextJudge {
  const compiled = tests.map((test) => compileOne(test, engine))
  const text = (value: string, scene: Scene): Truth =>
    anyOf(compiled, ({ exact, size }) => {
      if (!scene.afford(value.length * size)) return 'maybe'
      return exact(value) ? 'yes' : 'no'
    })
  const form = (value: Form, scene: Scene): Truth => {
    const known = exactForm(value)
    if (known !== undefined) return text(known, scene)
    return compiled.some(({ could }) => could(value)) ? 'maybe' : 'no'
  }
  return { text, form, word: (word, scene) => oneOfThese(word.forms, (each) => form(each, scene)) }
}

interface Compiled {
  readonly size: number
  readonly exact: (text: string) => boolean
  /** May a text that is known only in part match? Never no by mistake. */
  readonly could: (form: Form) => boolean
}

function compileOne({ pattern, size }: TextTest, engine: RegexEngine): Compiled {
  switch (pattern.is) {
    case 'names': {
      const names = new Set(pattern.names)
      return {
        size: 0,
        exact: (text) => names.has(text),
        could: (form) => pattern.names.some((name) => mayMatch(form, name)),
      }
    }
    case 'glob': {
      const globs = pattern.globs.map(compileGlob)
      return {
        size,
        exact: (text) => globs.some((glob) => glob.matches(text)),
        could: (form) => globs.some((glob) => glob.could(form)),
      }
    }
    case 'regex': {
      if (pattern.engine !== 'linear') throw new Error('a rule runs regexes on the linear engine alone')
      return { size, exact: engine.compile(pattern.source), could: () => true }
    }
    case 'never':
      return { size: 0, exact: () => false, could: () => false }
  }
}

export interface CompiledGlob {
  readonly matches: (text: string) => boolean
  readonly could: (form: Form) => boolean
  /** Matches every text. */
  readonly all: boolean
  /** What one character may cost. */
  readonly size: number
}

export function compileGlob(glob: string): CompiledGlob {
  const tokens = parseGlob(glob)
  if (!tokens.ok) throw new Error(tokens.problem.message)
  const [before = ''] = glob.split(WILD, 1)
  const after = glob.slice(glob.search(LITERAL_END))
  return {
    matches: globMatcher(tokens.value),
    // Two patterns can meet unless their written beginnings or ends contradict each other.
    could: (form) => {
      const head = form[0]?.kind === 'text' ? form[0].text : ''
      const last = form.at(-1)
      const tail = last?.kind === 'text' ? last.text : ''
      return agree(head, before, 'startsWith') && agree(tail, after, 'endsWith')
    },
    all: glob === '*',
    size: tokens.value.length,
  }
}

const WILD = /[*?[]/
/** What follows the last wildcard. A bracket that is no set was refused when the glob was read. */
const LITERAL_END = /[^*?[\]]*$/

function agree(left: string, right: string, how: 'startsWith' | 'endsWith'): boolean {
  return left.length < right.length ? right[how](left) : left[how](right)
}
