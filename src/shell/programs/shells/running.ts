import { readOptions, valuesOf } from '../../arguments/options.ts'
import { fileAt } from '../../expand/line-files.ts'
import { codeRun, type Launch, type LaunchCall, launchCode, writtenHere } from '../../vocabulary/launch.ts'
import { isMade, isStandardInput } from '../../words/standard-input.ts'
import { exactForm, exactText, type Form, joinWords, textPiece, type Word } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { scriptSource, shellSource } from '../aspects/code-source.ts'
import type { ProgramTable } from '../program.ts'

const COMPLETE = 'C= A= o= F= G= W= X= P= S= p r D E I'

/** Shells, and the builtins that hand text to one. */
export const SHELLS: ProgramTable = {
  'sh bash zsh dash ksh mksh ash rbash fish yash csh tcsh': {
    starts: shellLaunch,
    isShell: true,
    codeFrom: shellSource,
  },
  'ksh93 posh osh nu elvish xonsh ion rc es ysh oil murex': { starts: shellLaunch },
  eval: {
    starts: ({ args }) =>
      args.length === 0
        ? undefined
        : launchCode(0, codeRun('eval', joinWords(withoutDashes(args)), { shell: 'same' })),
    inThisShell: true,
    codeFrom: ({ opaque, inputs }) =>
      opaque === undefined ? undefined : { from: inputs === undefined ? 'text' : 'input' },
    files: { operands: 'none' },
  },
  'source .': {
    starts: sourceLaunch,
    inThisShell: true,
    codeFrom: ({ args }) => scriptSource(args[0]),
    files: { operands: 'load' },
  },
  trap: { starts: trapLaunch, files: { operands: 'none' } },
  enable: {
    starts: ({ args }) =>
      args.some((word) => /^-[a-z]*f/.test(exactText(word) ?? ''))
        ? { own: args.length, runs: [], opaque: 'it loads a program into the shell itself' }
        : undefined,
  },
  compgen: {
    starts: codeInOptions(COMPLETE, 'C'),
    showsEnvironment: ({ args }) =>
      args.some((word) => /^-[vex]/.test(exactText(word) ?? '')) ? 'all' : 'none',
  },
  complete: { starts: codeInOptions(COMPLETE, 'C') },
  bind: { starts: bindLaunch },
}

/** `bind -x '"\\C-l": code'`: from then on a key runs it. */
function bindLaunch({ args }: LaunchCall): Launch | undefined {
  const keys = valuesOf(readOptions(args, 'x= f= m= q= r= u='), 'x')
  const codes = keys.flatMap((word) => /^[^:]*:\s*(.+)$/s.exec(exactText(word) ?? '')?.[1] ?? [])
  if (codes.length === 0) return undefined
  const forms = codes.map((code): Form => [textPiece(code.replace(/^"(.*)"$/s, '$1'))])
  return { own: args.length, runs: [codeRun('bind -x', forms, { setting: true })] }
}

function withoutDashes(args: readonly Word[]): readonly Word[] {
  return exactText(args[0]) === '--' ? args.slice(1) : args
}

/** `-o`, `-O` and `+O` take a word; so do the long options that name a file. */
const SHELL_VALUES = /^([-+][a-zA-Z]*[oO]|--(rcfile|init-file))$/

function shellLaunch(call: LaunchCall): Launch | undefined {
  const { name, args, input } = call
  let at = 0
  let readsCode = false
  let readsInput = false
  let setup: Word | undefined
  for (; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text === undefined || !/^[-+]./.test(text)) break
    if (text === '--') {
      at += 1
      break
    }
    if (/^-[a-zA-Z]*c/.test(text)) readsCode = true
    if (name === 'fish' && /^(?:-C|--init-command)$/.test(text)) return fishSetup(args, at, call)
    if (/^-[a-zA-Z]*s/.test(text)) readsInput = true
    if (text === '--rcfile' || text === '--init-file') setup = args[at + 1]
    if (SHELL_VALUES.test(text)) at += 1
  }
  const first = args[at]
  // With `-n` it only reads.
  if (args.slice(0, at).some((word) => /^-[a-zA-Z]*n/.test(exactText(word) ?? ''))) return undefined
  if (readsCode) {
    if (first === undefined) return undefined
    return launchCode(
      at,
      codeRun(`${name} -c`, first.forms, {
        shell: 'child',
        positional: args.slice(at + 2),
        zero: args[at + 1],
        exportsAll: exportsAll(args.slice(0, at)),
      }),
    )
  }
  if (first !== undefined && !readsInput && !isStandardInput(first)) {
    return scriptLaunch(`${name} ${first.source}`, first, at, call, args.slice(at + 1))
  }
  if (setup !== undefined) return scriptLaunch(`${name} --rcfile`, setup, at, call, undefined)
  if (input.forms === undefined && !input.piped) return undefined
  const positional = readsInput ? args.slice(at) : undefined
  const how = {
    shell: 'child',
    takesInput: true,
    positional,
    exportsAll: exportsAll(args.slice(0, at)),
  } as const
  return launchCode(at, codeRun(`${name} (standard input)`, input.forms, how))
}

/** `sh -ac code`, `bash -o allexport -c code`. */
function exportsAll(options: readonly Word[]): boolean {
  const texts = options.map((word) => exactText(word) ?? '')
  return texts.some((text) => /^-[a-zA-Z]*a/.test(text) || /^all_?export$/i.test(text))
}

/** `fish -C code …`: the code runs first, and then the rest. */
function fishSetup(args: readonly Word[], at: number, call: LaunchCall): Launch {
  const setup = codeRun('fish -C', args[at + 1]?.forms, { shell: 'child' })
  const rest = shellLaunch({ ...call, args: args.slice(at + 2) })
  return { own: args.length, ...rest, runs: [setup, ...(rest?.runs ?? [])] }
}

/**
 * A script is a program like any other, unless it is written on the spot: by this command line, or by the command in
 * `bash <(curl …)`.
 */
function scriptLaunch(
  via: string,
  script: Word,
  own: number,
  call: LaunchCall,
  positional: readonly Word[] | undefined,
  shell: 'same' | 'child' = 'child',
): Launch | undefined {
  const files = fileAt(script, call.place)
  if (files === undefined) return isMade(script) ? launchCode(own, codeRun(via, undefined)) : undefined
  const runs = files.flatMap((file) =>
    file.kind === 'text' ? [codeRun(via, file.forms, { shell, positional, script: script.source })] : [],
  )
  const unknown = files.some((file) => file.kind === 'unknown')
  return { own: call.args.length, runs, ...(unknown ? { opaque: writtenHere(script) } : {}) }
}

function sourceLaunch(call: LaunchCall): Launch | undefined {
  const [file, ...rest] = call.args
  if (file === undefined) return undefined
  if (isStandardInput(file)) {
    const { forms, piped } = call.input
    return forms === undefined && !piped
      ? undefined
      : launchCode(1, codeRun(call.name, forms, { shell: 'same' }))
  }
  return scriptLaunch(
    `${call.name} ${file.source}`,
    file,
    0,
    call,
    rest.length === 0 ? undefined : rest,
    'same',
  )
}

function trapLaunch({ args }: LaunchCall): Launch | undefined {
  const words = withoutDashes(args)
  const [code] = words
  const text = exactText(code)
  if (code === undefined || words.length < 2 || text === '' || text?.startsWith('-') === true)
    return undefined
  return launchCode(0, codeRun('trap', code.forms, { atEnd: true }))
}

/** `alias name='code'`: what it would run once used. */
const GLOBAL_ALIAS =
  'what the words behind it mean is known only to zsh, which puts the text of a global alias in their place'

export function aliasLaunch({ args }: LaunchCall): Launch | undefined {
  const bodies = args
    .flatMap((word) => word.forms)
    .flatMap((form): readonly Form[] => {
      const text = exactForm(form)
      const equals = text?.indexOf('=') ?? -1
      return text === undefined || equals < 1 ? [] : [[{ kind: 'text', text: text.slice(equals + 1) }]]
    })
  const launch = bodies.length === 0 ? undefined : launchCode(0, codeRun('alias', bodies))
  // `alias -g F=--force; eval 'git push F'`
  const anywhere = args.some((word) => /^-[a-zA-Z]*[gs]/.test(exactText(word) ?? ''))
  return anywhere && launch !== undefined ? { ...launch, opaque: GLOBAL_ALIAS } : launch
}
