// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { PACKS } from '../../src/policy/packs/index.ts'
import { gate } from '../../src/shell/words/gate.ts'

/** The input of both parsers: the examples of the guards, and the same examples with something broken in them. */
export async function inputs(count: number): Promise<{ examples: string[]; mutated: string[] }> {
  const packs = await Promise.all(Object.values(PACKS).map((load) => load()))
  const all = packs
    .flatMap((pack) => pack.guards)
    .flatMap((guard) => [...guard.examples.stops, ...guard.examples.passes])
    .filter((example) => typeof example === 'string')
  // Only a part of them, so that it stays fast. The choice and the broken versions of an example depend on its own
  // text alone, so that a new example does not change how all others are broken.
  const once = [...new Set(all)].filter(readable).sort((a, b) => seedOf(a) - seedOf(b))
  const examples = [...TRICKY, ...once].slice(0, count)
  const mutated = examples.flatMap((text) => fc.sample(mutation(text), { numRuns: 1, seed: seedOf(text) }))
  return { examples, mutated: [...new Set(mutated)].filter(readable) }
}

function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE()
}

/** Texts that are refused before parsing say nothing about the grammar, and bash drops NUL bytes. */
function readable(text: string): boolean {
  return text !== '' && gate(text) === undefined
}

/** Characters that change the meaning of a text when they are added or removed. */
const MARKS = [
  '"',
  "'",
  '`',
  '$(',
  ')',
  '(',
  '{',
  '}',
  ';',
  '&&',
  '|',
  '\n',
  '\\',
  '<<E\n',
  '\nE\n',
  '>',
  '$',
  '#',
  ' ',
  'do',
  'fi',
]

function mutation(whole: string): fc.Arbitrary<string> {
  const cut = fc.tuple(fc.nat(), fc.nat(4), fc.constantFrom('', ...MARKS)).map(([at, length, mark]) => {
    const start = at % (whole.length + 1)
    return whole.slice(0, start) + mark + whole.slice(start + length)
  })
  const splice = fc
    .tuple(fc.constantFrom(...TRICKY), fc.nat(), fc.nat(), fc.boolean())
    .map(([other, a, b, first]) => {
      const [left, right] = first ? [whole, other] : [other, whole]
      return left.slice(0, a % (left.length + 1)) + right.slice(b % (right.length + 1))
    })
  return fc.oneof({ weight: 3, arbitrary: cut }, { weight: 1, arbitrary: splice })
}

/** Parts of the grammar that the examples of guards seldom use. */
const TRICKY: readonly string[] = [
  'a() { b; }; a',
  'function a { b; } > c',
  'if a; then b; elif c; then d; else e; fi',
  'for a in b c; do d; done',
  'for ((i = 0; i < 3; i++)); do a; done',
  'while a; do b; done < c',
  'until a; do b; done',
  'case $a in b|c) d ;; *) e ;; esac',
  'select a in b; do c; done',
  '[[ -f $(a) && b == c* ]] && d',
  '(( a = $(b) )) || c',
  'a <<E | b\n$(c)\nE\n',
  "a <<'E'; b\n$(c)\nE\nd",
  'a <<-E\n\tb\n\tE\nc',
  'a <(b) >(c) 2>&1 | d |& e',
  'a `b \\`c\\`` "$(d "$(e)")"',
  '! a | b & time c',
  'coproc a { b; }',
  'A=1 B=$(a) b; C=(d $(e)); declare F=$(g)',
  'a ${b:-$(c)} ${d/$(e)/f} ${g[$(h)]}',
  'a $((1 + $(b)))',
  '{ a; b; } > c 2> d',
  '(a; b) && { c || d; }',
  "a $'b\\'c' $\"d\"",
  'a {b,$(c)} @(d|e) [f]*',
  'a; # b\nc',
  'a \\\n b',
]
