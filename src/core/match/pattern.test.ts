import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Pattern } from '../hook.ts'
import { compilePattern, parsePattern, type RegexEngine, type Syntax } from './pattern.ts'
import { checkRegex, linearEngine } from './regex.ts'

const SYNTAXES: readonly Syntax[] = ['auto', 'regex', 'glob', 'claude']

function parsed(text: string | undefined, syntax: Syntax): Pattern | undefined {
  const result = parsePattern(text, syntax, checkRegex)
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

function matches(text: string | undefined, syntax: Syntax, word: string): boolean {
  return compilePattern(parsed(text, syntax), linearEngine)(word)
}

function names(...list: string[]): Pattern {
  return { kind: 'names', names: list }
}

function globs(...list: string[]): Pattern {
  return { kind: 'glob', globs: list }
}

function regex(source: string, engine: 'linear' | 'backtracking' = 'linear'): Pattern {
  return { kind: 'regex', source, engine }
}

// One compiler for every syntax of the documents (R-000-12, R-003-51, R-004-05, R-004-23, R-004-24).
describe('parsePattern', () => {
  describe.each(SYNTAXES)('%s', (syntax) => {
    test.each([undefined, '', '*', '.*'])('%j matches everything', (text) => {
      expect(parsed(text, syntax)).toBeUndefined()
      expect(matches(text, syntax, 'Bash')).toBe(true)
    })

    test.each([
      ['Bash', names('Bash')],
      ['Write|Edit', names('Write', 'Edit')],
      ['Write, Edit', names('Write', 'Edit')],
      ['Edit|', names('Edit')],
      ['|Edit,,Edit|', names('Edit')],
      ['mcp__stub', names('mcp__stub')],
      ['my-agent_2', names('my-agent_2')],
      ['startup| resume ', names('startup', 'resume')],
    ])('%j is a list of exact names', (text, pattern) => {
      expect(parsed(text, syntax)).toEqual(pattern)
    })
  })

  test.each<[Syntax, string, Pattern]>([
    // auto: a star that a regex could not use as a repeat makes the pattern a glob.
    ['auto', 'mcp__*', globs('mcp__*')],
    ['auto', '*update_task_status', globs('*update_task_status')],
    ['auto', 'mcp__* | Bash', globs('mcp__*', 'Bash')],
    ['auto', 'Bash|*|', globs('Bash', '*')],
    ['auto', '*_*.*', globs('*_*.*')],
    ['auto', 'mcp__.*', regex('mcp__.*')],
    ['auto', '^Ba.*$', regex('^Ba.*$')],
    ['auto', '(Read|Write)*', regex('(Read|Write)*')],
    ['auto', '[A-Z]*', regex('[A-Z]*')],
    ['auto', 'Edit.', regex('Edit.')],
    ['auto', 'Bas?', regex('Bas?')],
    ['auto', '(?i)bash', regex('(?i)bash')],
    ['auto', '^(?!Read$)', regex('^(?!Read$)', 'backtracking')],
    ['regex', 'mcp__*', regex('mcp__*')],
    ['regex', 'Edit.*', regex('Edit.*')],
    ['regex', '(?<=mcp__)x', regex('(?<=mcp__)x', 'backtracking')],
    ['regex', '(a)\\1', regex('(a)\\1', 'backtracking')],
    ['glob', 'Edit?', globs('Edit?')],
    ['glob', 'mcp__[a-c]*|Bash', globs('mcp__[a-c]*', 'Bash')],
    ['glob', '^x', globs('^x')],
    // claude: no globs, and a pattern that RegExp rejects never matches.
    ['claude', 'mcp__*', regex('mcp__*')],
    ['claude', 'mcp__.*', regex('mcp__.*')],
    ['claude', 'Bash(echo *)', regex('Bash(echo *)')],
    ['claude', '(', { kind: 'never' }],
    ['claude', '*bash', { kind: 'never' }],
    ['claude', '(?i)bash', { kind: 'never' }],
    ['claude', ' ', { kind: 'never' }],
    ['claude', '|', { kind: 'never' }],
    ['claude', '^(?!Read$)', regex('^(?!Read$)', 'backtracking')],
    // `\A` is a plain A in RegExp, but the start of the text in the linear engine.
    ['claude', '\\ABash', regex('\\ABash', 'backtracking')],
    ['auto', '\\ABash', regex('\\ABash', 'linear')],
  ])('%s %j', (syntax, text, pattern) => {
    expect(parsed(text, syntax)).toEqual(pattern)
  })

  test.each<[Syntax, string, string]>([
    ['auto', '(', 'The pattern `(` is not a valid regex: missing closing ), at character 1.'],
    ['auto', 'a(b)(c', 'The pattern `a(b)(c` is not a valid regex: missing closing ), at character 5.'],
    [
      'auto',
      'x[z-a]',
      'The pattern `x[z-a]` is not a valid regex: invalid character class range at `z-a`, character 3.',
    ],
    [
      'regex',
      '*a',
      'The pattern `*a` is not a valid regex: missing argument to repetition operator at `*`, character 1.',
    ],
    ['regex', '(?i)bash', 'The pattern `(?i)bash` is not a valid regex: invalid group.'],
    [
      'regex',
      'a++',
      'The pattern `a++` is not a valid regex: invalid nested repetition operator at `++`, character 2.',
    ],
    ['glob', 'mcp__[a', 'The glob `mcp__[a` has a `[` without its `]`, at character 6.'],
    ['glob', 'x[z-a]*', 'The glob `x[z-a]*` has the backward range `z-a`, at character 2.'],
    ['auto', '[!', 'The pattern `[!` is not a valid regex: missing closing ], at character 1.'],
    ['auto', ' , | ', 'The pattern " , | " contains no name, so it can never match.'],
    ['glob', '|', 'The pattern "|" contains no name, so it can never match.'],
    ['regex', 'a{1000}'.repeat(6), 'repeats too much'],
    ['claude', 'a{1000}'.repeat(6), 'repeats too much'],
    ['auto', '(?=(a+)+$)b', 'repeats that could take forever'],
    ['claude', '(?=(a+)+$)b', 'repeats that could take forever'],
    ['auto', '\\Qx', 'uses `\\Q`'],
    ['auto', 'ab)c', 'The pattern `ab)c` is not a valid regex: unexpected ), at character 3.'],
  ])('%s refuses %j', (syntax, text, message) => {
    const result = parsePattern(text, syntax, checkRegex)
    expect(result).toMatchObject({ ok: false, problem: { code: 'CONFIG_MATCHER' } })
    expect(result.ok ? '' : result.problem.message).toContain(message)
  })

  test.each(SYNTAXES)('%s accepts 4,096 characters and no more', (syntax) => {
    expect(parsed('x'.repeat(4096), syntax)).toEqual(names('x'.repeat(4096)))
    expect(parsePattern('x'.repeat(4097), syntax, checkRegex)).toMatchObject({
      ok: false,
      problem: {
        code: 'CONFIG_MATCHER',
        message: 'The pattern is 4097 characters long; at most 4096 are read.',
      },
    })
  })

  test.each(['auto', 'regex', 'claude'] as const)('without a check, %s refuses a regex', (syntax) => {
    expect(parsePattern('^a', syntax)).toMatchObject({ ok: false, problem: { code: 'CONFIG_MATCHER' } })
  })

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...SYNTAXES),
        fc.string(),
        (text, syntax, word) => {
          const result = parsePattern(text, syntax, checkRegex)
          if (result.ok) compilePattern(result.value, linearEngine)(word)
          else expect(result.problem.code).toBe('CONFIG_MATCHER')
        },
      ),
    )
  })
})

describe('compilePattern', () => {
  test.each<[Syntax, string, string, boolean]>([
    // As recorded with the real Claude Code.
    ['claude', 'bash', 'Bash', false],
    ['claude', 'Ba', 'Bash', false],
    ['claude', 'Bash', 'Bash', true],
    ['claude', 'Write|Edit', 'Edit', true],
    ['claude', 'Write, Edit', 'Edit', true],
    ['claude', 'Edit|', 'Edit', true],
    ['claude', 'Edit|', '', false],
    ['claude', '^Ba.*$', 'Bash', true],
    ['claude', 'mcp__.*', 'mcp__stub__echo', true],
    ['claude', 'mcp__stub', 'mcp__stub__echo', false],
    ['claude', 'Bash(echo *)', 'Bash', false],
    ['claude', '(', 'Bash', false],
    ['claude', 'Edit.*', 'NotebookEdit', true],
    ['claude', '\\ABash', 'ABash', true],
    ['claude', '\\ABash', 'Bash', false],
    // Regex is a search; a plain name is exact.
    ['regex', 'Edit.*', 'NotebookEdit', true],
    ['regex', '^Edit.*', 'NotebookEdit', false],
    ['regex', 'Task', 'TaskOutput', false],
    ['regex', '^(?!Read$)', 'Write', true],
    ['regex', '^(?!Read$)', 'Read', false],
    ['auto', '(?i)bash', 'BASH', true],
    // A glob covers the whole name.
    ['auto', 'mcp__*', 'mcp__stub__echo', true],
    ['auto', 'mcp__*', 'xmcp__stub', false],
    ['auto', '*update_task_status', 'mcp__x__update_task_status', true],
    ['auto', '*update_task_status', 'update_task_status_now', false],
    ['auto', 'mcp__* | Bash', 'Bash', true],
    ['glob', 'Edit?', 'Edits', true],
    ['glob', 'Edit?', 'Edit', false],
    ['glob', 'E*t', 'Edit', true],
    ['glob', 'e*', 'Edit', false],
  ])('%s %j on %j: %j', (syntax, text, word, expected) => {
    expect(matches(text, syntax, word)).toBe(expected)
  })

  test('the order and the spacing of names do not matter', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1 }),
        fc.constantFrom(...SYNTAXES),
        name,
        (list, syntax, other) => {
          const forth = compilePattern(parsed(list.join('|'), syntax), linearEngine)
          const back = compilePattern(parsed(list.toReversed().join(' , '), syntax), linearEngine)
          for (const word of [...list, other]) {
            expect(forth(word)).toBe(list.includes(word))
            expect(back(word)).toBe(list.includes(word))
          }
        },
      ),
    )
  })

  test('a word that is too long for the engine matches', () => {
    expect(matches('^(?!Read$)x', 'auto', 'R'.repeat(128))).toBe(false)
    expect(matches('^(?!Read$)x', 'auto', 'R'.repeat(129))).toBe(true)
    expect(matches('^x', 'auto', 'R'.repeat(4096))).toBe(false)
    expect(matches('^x', 'auto', 'R'.repeat(4097))).toBe(true)
    expect(matches('x*', 'glob', 'R'.repeat(4096))).toBe(false)
    expect(matches('x*', 'glob', 'R'.repeat(4097))).toBe(true)
    expect(matches('x', 'glob', 'R'.repeat(4097))).toBe(false)
  })

  test('a stored pattern that does not compile or run matches', () => {
    expect(compilePattern(regex('(', 'backtracking'), linearEngine)('a')).toBe(true)
    expect(compilePattern(regex('('), linearEngine)('a')).toBe(true)
    expect(compilePattern(globs('[a'), linearEngine)('b')).toBe(true)
    const failing: RegexEngine = {
      compile: () => () => {
        throw new Error('engine')
      },
    }
    expect(compilePattern(regex('a'), failing)('b')).toBe(true)
  })
})
