import type { Language } from '../vocabulary/command.ts'
import { JAVASCRIPT } from './apis/javascript.ts'
import { LUA, PHP, R } from './apis/others.ts'
import { PERL } from './apis/perl.ts'
import { PYTHON } from './apis/python.ts'
import { RUBY } from './apis/ruby.ts'
import { type ApiTable, table } from './apis/table.ts'
import { type ApiEffect, type CodeOutcome, runs, touches } from './outcome.ts'
import { type CodeCall, elementOf, NO_NAMES, textOf } from './values.ts'

/** What a call does, by the table of its language. */
export function outcomesOf(language: Language, call: CodeCall): readonly CodeOutcome[] {
  const apis = API_TABLES[language]
  if (apis === undefined) return []
  // `fetch(…).then(eval)`: whatever comes is run.
  if (
    call.args.some(
      (arg) => arg.kind === 'thing' && arg.made === undefined && /^(eval|exec|Function)$/.test(arg.name),
    )
  ) {
    return [{ kind: 'opaque' }]
  }
  return apiEffectOf(call.name, apis)?.(call) ?? overEach(call, apis)
}

function apiEffectOf(called: string, apis: ApiTable): ApiEffect | undefined {
  const name = called.replaceAll('::', '.')
  return apis.get(name) ?? apis.get(name.slice(Math.max(0, name.lastIndexOf('.')))) ?? apis.get(`.${name}`)
}

const GOES_OVER = /(?:^|\.)(?:map|forEach|each|filter|some|every|array_map|array_walk|starmap)$/

/** `map(os.unlink, files)`, `files.forEach(fs.unlinkSync)`, `array_map('unlink', files)`: called with each. */
function overEach({ name, args, receiver }: CodeCall, apis: ApiTable): readonly CodeOutcome[] {
  if (!GOES_OVER.test(name)) return []
  const called = args[0]
  const doing = called?.kind === 'thing' && called.made === undefined ? called.name : textOf(called)
  const over = args[1] ?? receiver
  const effect = doing === undefined || over === undefined ? undefined : apiEffectOf(doing, apis)
  return over === undefined || effect === undefined
    ? []
    : effect({ name: doing ?? '', args: [elementOf(over)], named: NO_NAMES, receiver: undefined })
}

const API_TABLES: Readonly<Partial<Record<Language, ApiTable>>> = {
  python: PYTHON,
  javascript: JAVASCRIPT,
  ruby: RUBY,
  perl: PERL,
  php: PHP,
  lua: LUA,
  r: R,
  awk: table(['system |', runs()], ['<', touches('read')]),
}
