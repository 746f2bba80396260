// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordList } from '../../core/word-list.ts'
import { parse } from '../grammar/parse.ts'
import { gate } from '../words/gate.ts'
import { readCommands } from './read-commands.ts'

const facts = { cwd: '/srv/project', home: '/home/dev' }

const examples = [
  'git -C ../other push --force origin +main',
  `X=-rf; rm $X "\${HOME:-/}"/*`,
  "find . -name '*.tmp' -exec sh -c 'rm \"$1\"' _ {} \\; | xargs -I{} echo {}",
  "cat <<'E' | sudo bash -s\nrm -rf ~\nE",
  'for f in a b; do if [[ -f $f ]]; then cd "$f" || exit; rm -rf {x,y}; fi; done > log 2>&1',
  'f() { eval "$(echo "$@")"; }; f ls; case $X in a|b) time ! ls ;; *) coproc ls ;; esac',
  'A=(a "b c"); echo "${#A[@]}" $((1 + $(ls | wc -l))) `pwd` <(ls) >(cat)',
  "printf '%s\\n' a b | while read -r line; do trap 'rm x' EXIT; done &",
]

/** Pieces of shell, put together without sense. */
const soup = fc
  .array(
    fc.constantFrom(
      ...wordList(String.raw`rm -rf / ; && || | & ( ) { } $( " ' \ $X } <( > <<< fi done esac [[ ]] (( ))`),
      ...wordList('$(( {a,b} * ? [a] ~ # ! X= ` ${'),
      ...wordList('if then do case eval sudo xargs').map((word) => `${word} `),
      ' ',
      '\n',
      '<<E\n',
      '\nE\n',
      'for i in ',
      'bash -c ',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

/** An example with something cut, doubled or put in. */
const mutated = fc
  .tuple(fc.constantFrom(...examples), fc.nat(), fc.nat(10), fc.string({ maxLength: 5, unit: 'grapheme' }))
  .map(([text, at, length, inserted]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + inserted + text.slice(start + length)
  })

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

describe('readCommands', () => {
  it.each([
    ['any text', fc.string({ unit: 'binary', maxLength: 200 })],
    ['any printable text', fc.string({ unit: 'grapheme', maxLength: 200 })],
    ['shell without sense', soup],
    ['mutated examples', mutated],
  ])('answers %s, the same each time', (_name, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const analysis = readCommands(text, facts)
        expect(readCommands(text, facts)).toEqual(analysis)
        if (!analysis.judged) expect(analysis.why).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })

  it('judges nothing that the grammar or the gate refuses', () => {
    fc.assert(
      fc.property(fc.oneof(soup, mutated), (text) => {
        if (gate(text) !== undefined || !parse(text).ok) expect(readCommands(text, facts).judged).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('finds the command however often it is wrapped in bash -c', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 6 }),
        fc.constantFrom('bash -c', 'sh -c', 'sudo bash -lc', 'eval'),
        (times, how) => {
          let text = "rm -rf 'a b'"
          for (let count = 0; count < times; count += 1) text = `${how} ${singleQuoted(text)}`
          const analysis = readCommands(text, facts)
          const last = analysis.judged ? analysis.commands.at(-1) : undefined
          expect(last?.name).toBe('rm')
          expect(last?.args).toHaveLength(2)
        },
      ),
    )
  })

  it('finds no command in text that is quoted as an argument', () => {
    fc.assert(
      fc.property(fc.oneof(soup, mutated, fc.constantFrom(...examples)), (text) => {
        fc.pre(gate(text) === undefined)
        const analysis = readCommands(`echo ${singleQuoted(text)}`, facts)
        expect(analysis.judged && analysis.commands.map((command) => command.name)).toEqual(['echo'])
      }),
      { numRuns: 500 },
    )
  })

  it('finds no fewer commands when another is put before it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...examples), (text) => {
        const alone = readCommands(text, facts)
        const after = readCommands(`true; ${text}`, facts)
        if (alone.judged) expect(after.judged && after.commands.length).toBe(alone.commands.length + 1)
      }),
    )
  })
})
