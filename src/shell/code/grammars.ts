import { wordSet } from '../../core/word-list.ts'

/** How expressions of a language are put together: only what finding calls and joined texts needs. */
export interface Grammar {
  /** What stands between a thing and its part. */
  readonly members: ReadonlySet<string>
  /** What joins two texts. */
  readonly concat: ReadonlySet<string>
  readonly assign: ReadonlySet<string>
  /** `system "x"`: a call needs no brackets. */
  readonly bareCalls: boolean
  /** Words that are no names. */
  readonly keywords: ReadonlySet<string>
  /** Two texts side by side are one. */
  readonly adjacent: boolean
  /** A new line ends an expression. */
  readonly lines: boolean
  /** `|` starts a command. */
  readonly pipes: boolean
  /** `:` opens a block. */
  readonly colonEnds: boolean
  /** What a loop that names no variable sets. */
  readonly topic?: string
}

const KEYWORDS = `
  and or not if else elif elsif elseif unless then end do done while until for foreach in of is return yield
  await async new throw raise try except catch finally with as lambda def function class var let const my our
  local global nonlocal print echo puts begin rescue ensure case when switch default break continue next last
  typeof void delete instanceof use no require_once include_once assert pass tell to
`

const COMMON: Grammar = {
  members: wordSet('.'),
  concat: wordSet('+'),
  assign: wordSet('= +='),
  bareCalls: false,
  keywords: wordSet(KEYWORDS),
  adjacent: false,
  lines: true,
  pipes: false,
  colonEnds: false,
}

export const GRAMMARS = {
  python: { ...COMMON, assign: wordSet('= += :='), adjacent: true, colonEnds: true },
  javascript: { ...COMMON, members: wordSet('. ?.'), lines: false },
  ruby: { ...COMMON, members: wordSet('. &. ::'), concat: wordSet('+ <<'), bareCalls: true },
  perl: {
    ...COMMON,
    members: wordSet('-> ::'),
    concat: wordSet('.'),
    assign: wordSet('= .='),
    bareCalls: true,
    lines: false,
    topic: '$_',
  },
  php: { ...COMMON, members: wordSet('-> ::'), concat: wordSet('.'), assign: wordSet('= .='), lines: false },
  lua: {
    ...COMMON,
    members: wordSet('. :'),
    concat: wordSet('..'),
    assign: wordSet('='),
    bareCalls: true,
    lines: false,
  },
  r: { ...COMMON, members: wordSet(':: $'), concat: wordSet('%'), assign: wordSet('= <- <<-') },
  applescript: { ...COMMON, members: wordSet('_'), concat: wordSet('&'), assign: wordSet('_') },
  awk: {
    ...COMMON,
    members: wordSet('_'),
    concat: wordSet('_'),
    assign: wordSet('= +='),
    adjacent: true,
    pipes: true,
  },
} as const satisfies Readonly<Record<string, Grammar>>
