import { isInside } from '../../shell/words/paths.ts'
import { mayMatch } from '../../shell/words/patterns.ts'
import { exactForm, type Form } from '../../shell/words/words.ts'
import type { Spot, TouchedPath } from './places.ts'
import type { RuleInput } from './rule-input.ts'
import { type CompiledGlob, compileGlob } from './text.ts'
import { andTruth, anyOf, orTruth, type Truth } from './truth.ts'

/** A glob for paths. A path may be known only in part. */
export interface PathGlob {
  /** Whether the glob matches the path itself. */
  holds(place: TouchedPath, ruleInput: RuleInput): Truth
  /** The same for one spot of it. */
  holdsSpot(spot: Spot, ruleInput: RuleInput): Truth
  /** Whether it matches, or the call reaches a matching path from there. */
  reaches(place: TouchedPath, ruleInput: RuleInput): Truth
}

/**
 * `src/**` starts at the project, `~/x` at the home folder, `/x` at the root. Without a wildcard it includes
 * all files below.
 */
export function compilePathGlob(glob: string): PathGlob {
  const written = glob.replace(/\/+$/, '/**').replace(/^\.\//, '')
  const whole = WILD.test(written) ? written : `${written}/**`
  const anchored = withAnchor(whole)
  const spot = (each: Spot, ruleInput: RuleInput): Reach => {
    const first = match(anchored(ruleInput).written(), each, ruleInput)
    if (first.holds === 'yes') return first
    const second = anchored(ruleInput).real(ruleInput)
    return second === undefined ? first : strongest(first, match(second, each, ruleInput))
  }
  return {
    holdsSpot: (each, ruleInput) => spot(each, ruleInput).holds,
    holds: (place, ruleInput) =>
      place.spots.length === 0 ? 'maybe' : anyOf(place.spots, (each) => spot(each, ruleInput).holds),
    reaches: (place, ruleInput) => {
      if (place.spots.length === 0) return 'maybe'
      return anyOf(place.spots, (each) => {
        const { holds, above, aboveBase } = spot(each, ruleInput)
        const opened = place.access === 'read' || place.access === 'write'
        const below = (place.recursive && above) || (opened && aboveBase) ? 'maybe' : 'no'
        return orTruth(holds, below)
      })
    },
  }
}

/** Segments of a glob from the root on. `literal`: how many of them come before the first wildcard. */
interface Segments {
  /** The literal ones as a path. */
  readonly base: string
  readonly of: readonly Segment[]
  readonly literal: number
  readonly size: number
}

type Segment = CompiledGlob | 'deep'

interface Anchored {
  written(): Segments
  /** The same with the links before the first wildcard followed; undefined when there are none. */
  real(ruleInput: RuleInput): Segments | undefined
}

/** The start of a glob is only known with the facts. Events of one process mostly have the same start. */
function withAnchor(glob: string): (ruleInput: RuleInput) => Anchored {
  let last: { readonly project: string; readonly home: string; readonly anchored: Anchored } | undefined
  return (ruleInput) => {
    const { project, home } = ruleInput.facts
    if (last?.project === project && last.home === home) return last.anchored
    const { base, rest } = startOf(glob, project, home)
    const anchored = anchorOf(base, rest)
    last = { project, home, anchored }
    return anchored
  }
}

/** The folder from which it starts is never a pattern, whatever its name contains. */
function startOf(glob: string, project: string, home: string): { base: string; rest: string } {
  if (glob.startsWith('/')) return { base: '/', rest: glob }
  return /^~(\/|$)/.test(glob) ? { base: home, rest: glob.slice(1) } : { base: project, rest: glob }
}

function anchorOf(base: string, rest: string): Anchored {
  const start = namesIn(base)
  const names = namesIn(rest)
  const firstWild = names.findIndex((name) => WILD.test(name))
  const literal = [...start, ...(firstWild < 0 ? names : names.slice(0, firstWild))]
  const wild = firstWild < 0 ? [] : names.slice(firstWild)
  const folder = `/${literal.join('/')}`
  let written: Segments | undefined
  let real: { readonly target: string; readonly segments: Segments } | undefined
  return {
    written: () => {
      written ??= segmentsOf(literal, wild)
      return written
    },
    // Resolved at every event, because a long-running process must see links that were created in the meantime.
    real: (ruleInput) => {
      const target = ruleInput.realpath(folder)
      if (target === folder) return undefined
      if (real?.target !== target) real = { target, segments: segmentsOf(namesIn(target), wild) }
      return real.segments
    },
  }
}

const WILD = /[*?[]/

function namesIn(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

/**
 * Composed like the paths they are compared with; before that, a link is followed under the name it was
 * written with.
 */
function segmentsOf(literal: readonly string[], wild: readonly string[]): Segments {
  const names = literal.map((name) => name.normalize('NFC'))
  const of: readonly Segment[] = [
    ...names.map(literally),
    ...wild.map((name) => (name === '**' ? 'deep' : compileGlob(name.normalize('NFC')))),
  ]
  const size = of.reduce((sum, each) => sum + (each === 'deep' ? 1 : each.size), 0)
  return { base: `/${names.join('/')}`, of, literal: literal.length, size }
}

function literally(name: string): CompiledGlob {
  return {
    matches: (other) => other === name,
    could: (form) => mayMatch(form, name),
    all: false,
    size: 1,
  }
}

interface Reach {
  readonly holds: Truth
  /** Something below it may match. */
  readonly above: boolean
  /** It leads to the part of the glob without wildcards, so it is a folder. */
  readonly aboveBase: boolean
}

const NOWHERE: Reach = { holds: 'no', above: false, aboveBase: false }

function strongest(left: Reach, right: Reach): Reach {
  return {
    holds: orTruth(left.holds, right.holds),
    above: left.above || right.above,
    aboveBase: left.aboveBase || right.aboveBase,
  }
}

function match(segments: Segments, spot: Spot, ruleInput: RuleInput): Reach {
  if (spot.path !== undefined && areApart(spot.path, segments.base)) return NOWHERE
  const length = spot.parts.reduce((sum, part) => sum + lengthOf(part) + 1, 0)
  if (!ruleInput.afford(segments.size * length)) return { holds: 'maybe', above: true, aboveBase: true }
  if (spot.loose) return { holds: looselyHeld(segments, spot), above: true, aboveBase: false }
  const { of } = segments
  // reached[i]: do the parts so far match the first i segments?
  let reached: Truth[] = ['yes']
  for (const segment of of) reached.push(segment === 'deep' ? (reached.at(-1) ?? 'no') : 'no')
  for (const part of spot.parts) {
    const next: Truth[] = ['no']
    for (const [index, segment] of of.entries()) {
      const one = reached[index] ?? 'no'
      next.push(
        segment === 'deep'
          ? orTruth(reached[index + 1] ?? 'no', next[index] ?? 'no')
          : one === 'no'
            ? 'no'
            : andTruth(one, heldPart(segment, part)),
      )
    }
    if (next.every((truth) => truth === 'no')) return NOWHERE
    reached = next
  }
  return {
    holds: reached.at(-1) ?? 'no',
    above: reached.some((truth, index) => truth !== 'no' && index < of.length),
    aboveBase: reached.some(
      (truth, index) => truth !== 'no' && index <= segments.literal && index < of.length,
    ),
  }
}

/** Neither path is inside the other. Most rules are about another folder, and need no more than this. */
function areApart(path: string, base: string): boolean {
  return !isInside(path, base) && !isInside(base, path)
}

function heldPart(segment: CompiledGlob, part: Form): Truth {
  const name = exactForm(part)
  if (name !== undefined) return segment.matches(name) ? 'yes' : 'no'
  if (segment.all) return 'yes'
  return segment.could(part) ? 'maybe' : 'no'
}

/** Only the end of the last name can be relied on: everything before it may be anything. */
function looselyHeld({ of }: Segments, spot: Spot): Truth {
  const segment = of.at(-1)
  const last = spot.parts.at(-1)
  if (segment === undefined || segment === 'deep' || last === undefined) return 'maybe'
  const spans = last.some((piece) => piece.kind === 'unknown' || piece.text.includes('**'))
  const seen: Form = spans ? [{ kind: 'unknown', text: '' }, ...last.slice(-1)] : last
  return heldPart(segment, seen) === 'no' ? 'no' : 'maybe'
}

function lengthOf(part: Form): number {
  return part.reduce((sum, piece) => sum + piece.text.length, 0)
}
