import type { Language } from '../command.ts'
import { JAVASCRIPT } from './deeds/javascript.ts'
import { LUA, PHP, R } from './deeds/others.ts'
import { PERL } from './deeds/perl.ts'
import { PYTHON } from './deeds/python.ts'
import { RUBY } from './deeds/ruby.ts'
import { type Deeds, table } from './deeds/table.ts'
import { type Outcome, runs } from './outcome.ts'
import type { Call } from './values.ts'

/** What a call does, by the table of its language. */
export function outcomesOf(language: Language, call: Call): readonly Outcome[] {
  const deeds = DEEDS[language]
  if (deeds === undefined) return []
  // `fetch(…).then(eval)`: whatever comes is run.
  if (
    call.args.some(
      (arg) => arg.kind === 'thing' && arg.made === undefined && /^(eval|exec|Function)$/.test(arg.name),
    )
  ) {
    return [{ kind: 'opaque' }]
  }
  const name = call.name.replaceAll('::', '.')
  const deed =
    deeds.get(name) ?? deeds.get(name.slice(Math.max(0, name.lastIndexOf('.')))) ?? deeds.get(`.${name}`)
  return deed?.(call) ?? []
}

const DEEDS: Readonly<Partial<Record<Language, Deeds>>> = {
  python: PYTHON,
  javascript: JAVASCRIPT,
  ruby: RUBY,
  perl: PERL,
  php: PHP,
  lua: LUA,
  r: R,
  awk: table(['system |', runs()]),
}
