import { globMatcher, parseGlob } from '../../core/match/glob.ts'
import type { RegexEngine } from '../../core/match/pattern.ts'
import type { TextTest } from '../../core/rule.ts'
import { mayMatch } from '../../shell/words/patterns.ts'
import { exactForm, type Form, type Word } from '../../shell/words/words.ts'
import type { RuleInput } from './rule-input.ts'
import { anyOf, oneOfThese, type Truth } from './truth.ts'

/** A list of patterns, ready to run: any of them may match. */
export interface TextJudge {
  /** Tests a known text. */
  text(text: string, ruleInput: RuleInput): Truth
  /** Tests a word of a command, which may be known only partly or not at all. */
  word(word: Word, ruleInput: RuleInput): Truth
  form(form: Form, ruleInput: RuleInput): Truth
}

/** Throws if a pattern is invalid: the plan then comes from another version, and the rule is a failed hook. */
export function compileText(tests: readonly TextTest[], engine: RegexEngine): TextJudge {
  const compiled = tests.map((test) => compileOne(test, engine))
  const text = (value: string, ruleInput: RuleInput): Truth =>
    anyOf(compiled, ({ exact, size }) => {
      if (!ruleInput.afford(value.length * size)) return 'maybe'
      return exact(value) ? 'yes' : 'no'
    })
  const form = (value: Form, ruleInput: RuleInput): Truth => {
    const known = exactForm(value)
    if (known !== undefined) return text(known, ruleInput)
    return compiled.some(({ could }) => could(value)) ? 'maybe' : 'no'
  }
  return { text, form, word: (word, ruleInput) => oneOfThese(word.forms, (each) => form(each, ruleInput)) }
}

interface Compiled {
  readonly size: number
  readonly exact: (text: string) => boolean
  /** Whether a partly known text may match. Never `false` by mistake. */
  readonly could: (form: Form) => boolean
}

function compileOne({ pattern, size }: TextTest, engine: RegexEngine): Compiled {
  switch (pattern.kind) {
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
/** The text after the last wildcard. A bracket that is not a set was refused when the glob was read. */
const LITERAL_END = /[^*?[\]]*$/

function agree(left: string, right: string, how: 'startsWith' | 'endsWith'): boolean {
  return left.length < right.length ? right[how](left) : left[how](right)
}
