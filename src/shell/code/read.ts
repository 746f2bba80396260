import type { FilePlace } from '../expand/line-files.ts'
import type { InlineCode, Language } from '../vocabulary/command.ts'
import { codeRun, RUN_TIME_CODE, type StartedCommand } from '../vocabulary/launch.ts'
import { HOLE } from '../words/gate.ts'
import { exactForm, type Form, isWhollyUnknown, textWithHoles } from '../words/words.ts'
import { outcomesOf } from './apis.ts'
import { readAppleScript } from './applescript.ts'
import { evaluateCode } from './evaluate.ts'
import { GRAMMARS } from './grammars.ts'
import { importedNames } from './imports.ts'
import { knowing, knownValue } from './known.ts'
import { LEXICONS } from './lexicons.ts'
import type { CodeProgram } from './machine.ts'
import type { CodeOutcome } from './outcome.ts'
import { readPowerShell } from './powershell.ts'
import { readCommandTexts, readQuotations } from './quotations.ts'
import { readSed } from './sed.ts'
import { readTasks } from './tasks.ts'
import { tokenize } from './tokens.ts'

/** What code for another language would do: what it runs, and everything else it does to the world. */
export interface InlineReading {
  readonly runs: readonly StartedCommand[]
  readonly outcomes: readonly CodeOutcome[]
  /** Set when it runs something known only at run time. */
  readonly opaque?: string
}

const remembered = new WeakMap<InlineCode, InlineReading>()

/** `place`: the files that this line or session wrote, which the code may read. */
export function readInline(inline: InlineCode, via: string, place?: FilePlace): InlineReading {
  const known = remembered.get(inline)
  if (known !== undefined) return known
  const started: Started = { via, known: place === undefined ? knownValue : knowing(place) }
  const readings = inline.code.slice(0, FORMS_MAX).map((form) => readCode(inline.language, form, started, 0))
  const all = readings.reduce(both, NOTHING)
  const reading = inline.code.length > FORMS_MAX ? { ...all, opaque: all.opaque ?? RUN_TIME_CODE } : all
  remembered.set(inline, reading)
  return reading
}

const NOTHING: InlineReading = { runs: [], outcomes: [] }
const DEPTH_MAX = 4
const FORMS_MAX = 8
const LENGTH_MAX = 32 * 1024
/** Its comments are looked for anew at every place. */
const POWERSHELL_MAX = 8 * 1024

function both(left: InlineReading, right: InlineReading): InlineReading {
  const opaque = left.opaque ?? right.opaque
  return {
    runs: [...left.runs, ...right.runs],
    outcomes: [...left.outcomes, ...right.outcomes],
    ...(opaque === undefined ? {} : { opaque }),
  }
}

/** How the code was started, and what is known of its names. */
interface Started {
  readonly via: string
  readonly known: CodeProgram['known']
}

function readCode(language: Language, form: Form, started: Started, depth: number): InlineReading {
  // What sed and awk do is seldom more than to change text.
  if (isWhollyUnknown(form))
    return language === 'sed' || language === 'awk' ? NOTHING : { ...NOTHING, opaque: RUN_TIME_CODE }
  const code = exactForm(form) ?? textWithHoles(form)
  const longest = language === 'powershell' ? POWERSHELL_MAX : LENGTH_MAX
  if (code.length > longest || depth > DEPTH_MAX)
    return { ...NOTHING, opaque: 'the code it runs is too long to read' }
  const { outcomes, broken } = outcomesIn(language, code, started.known)
  const reading = outcomes.map((outcome) => readingOf(outcome, started, depth)).reduce(both, NOTHING)
  if (reading.opaque !== undefined) return reading
  if (broken && SUSPICIOUS.test(code)) return { ...reading, opaque: 'the code it runs could not be read' }
  return STATEMENT.test(code) ? { ...reading, opaque: RUN_TIME_CODE } : reading
}

/** A whole statement that is known only at run time. */
const STATEMENT = new RegExp(`(^|[;\\n])[ \\t]*${HOLE}+[ \\t]*($|[;\\n])`)

/** Words that make it matter that code could not be read to its end. */
const SUSPICIOUS =
  /system|exec|spawn|popen|rmtree|unlink|rm_rf|rmSync|remove|delete|subprocess|child_process|shell|eval|socket/i

function outcomesIn(
  language: Language,
  code: string,
  known: CodeProgram['known'],
): { readonly outcomes: readonly CodeOutcome[]; readonly broken: boolean } {
  if (language === 'sed') return { outcomes: readSed(code), broken: false }
  if (language === 'powershell') return readPowerShell(code)
  if (language === 'applescript') return readAppleScript(code)
  if (language === 'other') return { outcomes: readQuotations(code), broken: false }
  const { tokens, broken } = tokenize(code, LEXICONS[language])
  const program = { tokens, grammar: GRAMMARS[language], variables: importedNames(tokens), known }
  // A first pass learns the variables: a name may be used above the line that sets it.
  evaluateCode(program)
  const calls = evaluateCode(program)
  const called = calls.flatMap((call) => outcomesOf(language, call))
  const outcomes =
    language === 'javascript' && /\bNSTask\b/.test(code) ? [...called, ...readTasks(code)] : called
  return { outcomes: INDIRECT.test(code) ? [...outcomes, ...readCommandTexts(code)] : outcomes, broken }
}

/**
 * Ways to reach a function without its name, and a shell that waits for what is written to it. Then each text that the
 * code quotes may be a command.
 */
const INDIRECT = new RegExp(
  [
    '__(?:globals|subclasses|dict|builtins|import)__|\\bvars\\(|\\bsys\\.modules|\\bbuiltins\\b|\\bposix\\b|\\btimeit\\b',
    'InteractiveInterpreter|InteractiveConsole|runsource|runcode|mainModule|getBuiltinModule|_load\\b|createRequire',
    'constructor\\s*\\.\\s*constructor|runIn(?:This|New)?Context|\\bpublic_send\\b|\\b__send__\\b|\\bsend\\s*[( ]\\s*:',
    'const_get|call_user_func|\\$\\w+\\s*\\(|\\(\\?\\??\\{|Reflect\\s*\\.|globalThis\\s*\\[|global\\s*\\[',
    '([\'"`])\\|?\\s*(?:/(?:usr/)?bin/)?(?:ba|z|da|k)?sh(?:\\s+-s?)?\\s*\\1',
  ].join('|'),
)

function readingOf(outcome: CodeOutcome, started: Started, depth: number): InlineReading {
  switch (outcome.kind) {
    case 'code':
      return outcome.forms.every(isWhollyUnknown)
        ? { ...NOTHING, opaque: RUN_TIME_CODE }
        : {
            ...NOTHING,
            runs: [
              codeRun(started.via, outcome.forms, { shell: 'child', setting: outcome.guessed === true }),
            ],
          }
    case 'words':
      return { ...NOTHING, runs: [{ via: started.via, words: outcome.words }] }
    case 'inline':
      return isWhollyUnknown(outcome.form)
        ? NOTHING
        : readCode(outcome.language, outcome.form, started, depth + 1)
    case 'opaque':
      return { ...NOTHING, opaque: RUN_TIME_CODE }
    default:
      return { ...NOTHING, outcomes: [outcome] }
  }
}
