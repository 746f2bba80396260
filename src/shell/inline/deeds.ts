import type { Language } from '../command.ts'
import { JAVASCRIPT } from './deeds/javascript.ts'
import { LUA, PHP, R } from './deeds/others.ts'
import { PERL } from './deeds/perl.ts'
import { PYTHON } from './deeds/python.ts'
import { RUBY } from './deeds/ruby.ts'
import { type Deeds, table } from './deeds/table.ts'
import { type Deed, type Outcome, runs, touches } from './outcome.ts'
import { type Call, elementOf, NO_NAMES, textOf } from './values.ts'

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
  return deedOf(call.name, deeds)?.(call) ?? overEach(call, deeds)
}

function deedOf(called: string, deeds: Deeds): Deed | undefined {
  const name = called.replaceAll('::', '.')
  return deeds.get(name) ?? deeds.get(name.slice(Math.max(0, name.lastIndexOf('.')))) ?? deeds.get(`.${name}`)
}

const GOES_OVER = /(?:^|\.)(?:map|forEach|each|filter|some|every|array_map|array_walk|starmap)$/

/** `map(os.unlink, files)`, `files.forEach(fs.unlinkSync)`, `array_map('unlink', files)`: called with each. */
function overEach({ name, args, receiver }: Call, deeds: Deeds): readonly Outcome[] {
  if (!GOES_OVER.test(name)) return []
  const called = args[0]
  const doing = called?.kind === 'thing' && called.made === undefined ? called.name : textOf(called)
  const over = args[1] ?? receiver
  const deed = doing === undefined || over === undefined ? undefined : deedOf(doing, deeds)
  return over === undefined || deed === undefined
    ? []
    : deed({ name: doing ?? '', args: [elementOf(over)], named: NO_NAMES, receiver: undefined })
}

const DEEDS: Readonly<Partial<Record<Language, Deeds>>> = {
  python: PYTHON,
  javascript: JAVASCRIPT,
  ruby: RUBY,
  perl: PERL,
  php: PHP,
  lua: LUA,
  r: R,
  awk: table(['system |', runs()], ['<', touches('read')]),
}
