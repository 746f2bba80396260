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

const words = (line: string): ReadonlySet<string> => new Set(line.split(' '))

const KEYWORDS =
  'and or not if else elif elsif elseif unless then end do done while until for foreach in of is return yield await async new ' +
  'throw raise try except catch finally with as lambda def function class var let const my our local global nonlocal print ' +
  'echo puts begin rescue ensure case when switch default break continue next last typeof void delete instanceof use no ' +
  'require_once include_once assert pass tell to'

const COMMON: Grammar = {
  members: words('.'),
  concat: words('+'),
  assign: words('= +='),
  bareCalls: false,
  keywords: words(KEYWORDS),
  adjacent: false,
  lines: true,
  pipes: false,
  colonEnds: false,
}

export const GRAMMARS = {
  python: { ...COMMON, assign: words('= += :='), adjacent: true, colonEnds: true },
  javascript: { ...COMMON, members: words('. ?.'), lines: false },
  ruby: { ...COMMON, members: words('. &. ::'), concat: words('+ <<'), bareCalls: true },
  perl: {
    ...COMMON,
    members: words('-> ::'),
    concat: words('.'),
    assign: words('= .='),
    bareCalls: true,
    lines: false,
    topic: '$_',
  },
  php: { ...COMMON, members: words('-> ::'), concat: words('.'), assign: words('= .='), lines: false },
  lua: {
    ...COMMON,
    members: words('. :'),
    concat: words('..'),
    assign: words('='),
    bareCalls: true,
    lines: false,
  },
  r: { ...COMMON, members: words(':: $'), concat: words('%'), assign: words('= <- <<-') },
  applescript: { ...COMMON, members: words('_'), concat: words('&'), assign: words('_') },
  awk: {
    ...COMMON,
    members: words('_'),
    concat: words('_'),
    assign: words('= +='),
    adjacent: true,
    pipes: true,
  },
} as const satisfies Readonly<Record<string, Grammar>>
