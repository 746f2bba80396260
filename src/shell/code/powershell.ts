import { wordSet } from '../../core/word-list.ts'
import { concatForms, exactForm, exactWord, type Form, textPiece, type Word } from '../words/words.ts'
import type { CodeOutcome } from './outcome.ts'

/** PowerShell, read as what it is: commands of words. Cmdlets are known by name, other programs are run. */
export function readPowerShell(code: string): {
  readonly outcomes: readonly CodeOutcome[]
  readonly broken: boolean
} {
  const { statements, broken } = statementsOf(code)
  const read = statements.flatMap((words, at) => listedDeletion(statements, at) ?? outcomesOf(words))
  return { outcomes: [...read, ...methodOutcomes(code)], broken }
}

interface Statements {
  readonly statements: readonly (readonly Word[])[]
  readonly broken: boolean
}

const WORDS_MAX = 2_000
const TOKEN =
  /<#[\s\S]*?#>|#[^\n]*|[ \t]+|`\r?\n|[;|&\n(){}]+|@'\n([\s\S]*?)\n'@|@"\n([\s\S]*?)\n"@|'((?:[^']|'')*)'|"((?:[^"`]|`[\s\S]|"")*)"|(?:[^\s;|&(){}'"`]|`.)+|[\s\S]/g

function statementsOf(code: string): Statements {
  const statements: Word[][] = [[]]
  let open: Form[] = []
  let words = 0
  const close = (): void => {
    if (open.length > 0) statements.at(-1)?.push(word(concatForms(...open)))
    words += open.length
    open = []
  }
  for (const match of code.matchAll(TOKEN)) {
    const [token, raw, expanding, single, double] = match
    if (words > WORDS_MAX) return { statements, broken: true }
    if (raw !== undefined || single !== undefined)
      open.push(textForm((raw ?? single ?? '').replaceAll("''", "'")))
    else if (expanding !== undefined || double !== undefined)
      open.push(expanded((expanding ?? double ?? '').replaceAll('""', '"')))
    else if (/^(?:<#|#|[ \t]|`\r?\n)/.test(token)) close()
    else if (/^[;|&\n(){}]+$/.test(token)) {
      close()
      // `& 'program'` runs what follows.
      statements.push([])
      if (token.includes('|')) statements.at(-1)?.push(PIPED)
    } else if (/^['"]$/.test(token)) return { statements, broken: true }
    else open.push(expanded(token))
  }
  close()
  return { statements, broken: false }
}

/** Stands before a command that reads from a pipe. */
const PIPED = exactWord('|')

function word(form: Form): Word {
  return { source: exactForm(form) ?? form.map((piece) => piece.text).join(''), forms: [form], splits: false }
}

function textForm(text: string): Form {
  return text === '' ? [] : [textPiece(text)]
}

const VARIABLE = /(\$\{?(?:env:)?[\w:]+\}?|`.)/gi
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/^\$\{?(env:(HOME|USERPROFILE|HOMEPATH)|HOME)\}?$/i, '~'],
  [/^\$\{?(env:(TEMP|TMP|TMPDIR))\}?$/i, '/tmp'],
  [/^\$\{?PWD\}?$/i, '.'],
  [/^\$\{?env:(windir|SystemRoot)\}?$/i, '/Windows'],
  [/^\$true$/i, 'true'],
  [/^\$PROFILE$/i, '~/.config/powershell/profile.ps1'],
]

function expanded(text: string): Form {
  return concatForms(
    ...text.split(VARIABLE).map((part): Form => {
      if (part.startsWith('`')) return textForm(part === '`n' ? '\n' : part.slice(1))
      // The root of a drive is a root.
      if (!/^\$/.test(part)) return textForm(part.replaceAll('\\', '/').replace(/^[A-Za-z]:(?=\/|$)/, ''))
      const known = KNOWN.find(([pattern]) => pattern.test(part))?.[1]
      return known === undefined ? [{ kind: 'unknown', text: part }] : textForm(known)
    }),
  )
}

const DELETE = /^(remove-item|ri|rm|del|erase|rd|rmdir|clear-recyclebin)$/
const WRITE =
  /^(set-content|sc|add-content|ac|out-file|clear-content|clc|new-item|ni|tee-object|tee|set-item)$/
const READ = /^(get-content|gc|cat|type|import-csv|select-string|sls)$/
const MOVE = /^(move-item|mi|mv|move|rename-item|rni|ren)$/
const COPY = /^(copy-item|cpi|cp|copy)$/
const FETCH = /^(invoke-webrequest|iwr|invoke-restmethod|irm|start-bitstransfer)$/
const START = /^(start-process|saps|start)$/
const EVALUATE = /^(invoke-expression|iex)$/
/** Cmdlets that are what a program we know does. */
const AS_PROGRAM: ReadonlyMap<string, readonly string[]> = new Map([
  ['stop-computer', ['shutdown', 'now']],
  ['restart-computer', ['reboot']],
  ['format-volume', ['mkfs', '/dev/sda']],
  ['clear-disk', ['wipefs', '-a', '/dev/sda']],
  ['initialize-disk', ['wipefs', '-a', '/dev/sda']],
  ['remove-partition', ['wipefs', '-a', '/dev/sda']],
  ['stop-service', ['systemctl', 'stop', 'service']],
  ['remove-localuser', ['userdel', 'user']],
  ['new-localuser', ['useradd', 'user']],
  ['set-executionpolicy', ['setenforce', '0']],
  ['set-netfirewallprofile', ['ufw', 'disable']],
  ['clear-eventlog', ['journalctl', '--vacuum-time=1s']],
  ['register-scheduledtask', ['crontab', '-e']],
  ['unregister-scheduledtask', ['crontab', '-r']],
  ['add-localgroupmember', ['usermod', '-aG', 'sudo', 'user']],
  ['remove-vm', ['virsh', 'undefine', 'machine']],
])

/** Cmdlets that a table of src/shell/line-acts knows by their name. */
const JUDGED_BY_NAME = wordSet(`
  set-mppreference add-mppreference remove-mppreference disable-netfirewallrule remove-netfirewallrule set-service
  stop-process uninstall-windowsfeature disable-windowsoptionalfeature set-itemproperty new-itemproperty
  remove-eventlog limit-eventlog clear-history invoke-wmimethod invoke-cimmethod register-scheduledjob
  install-module install-script install-package
`)

const LIST = /^(get-childitem|gci|ls|dir)$/
const CHOOSE = /^(where-object|where|\?|select-object|select)$/

/** `Get-ChildItem x -Recurse | Remove-Item` deletes what `find x -delete` does. */
function listedDeletion(
  statements: readonly (readonly Word[])[],
  at: number,
): readonly CodeOutcome[] | undefined {
  const [mark, program, ...rest] = statements[at] ?? []
  const given = parameters(rest)
  if (mark !== PIPED || !DELETE.test(nameOf(program))) return undefined
  if (given.operands.length > 0 || given.values.has('path')) return undefined
  const chosen: Word[] = []
  for (let before = at - 1; before >= 0; before -= 1) {
    const [first, second, ...others] = statements[before] ?? []
    const piped = first === PIPED
    const name = nameOf(piped ? second : first)
    if (LIST.test(name)) {
      const { operands, values } = parameters(piped || second === undefined ? others : [second, ...others])
      const folder = values.get('path') ?? values.get('literalpath') ?? operands[0] ?? exactWord('.')
      const names = values.get('filter') ?? values.get('include')
      const test = names === undefined ? [] : [exactWord('-name'), names]
      return [{ kind: 'words', words: [exactWord('find'), folder, ...test, ...chosen, exactWord('-delete')] }]
    }
    // What is chosen by something else than its name is a part all the same.
    if (CHOOSE.test(name)) chosen.push(exactWord('-newer'), exactWord('x'))
    else if (piped) return undefined
  }
  return undefined
}

function nameOf(program: Word | undefined): string {
  return program === undefined
    ? ''
    : (exactForm(program.forms[0] ?? []) ?? '').toLowerCase().replace(/\.exe$/, '')
}

function outcomesOf(given: readonly Word[]): readonly CodeOutcome[] {
  const piped = given[0] === PIPED
  const all = piped ? given.slice(1) : given
  const [first, ...rest] = all
  const name = nameOf(first)
  if (
    first === undefined ||
    name === '' ||
    /^[$[\]=@\d]|^\.(?!\.?\/)|^(if|else|elseif|foreach|for|while|function|param|return|try|catch|in)$/.test(
      name,
    )
  ) {
    // `$x = command …`
    const at = all.findIndex((each) => exactForm(each.forms[0] ?? []) === '=')
    return at < 0 ? [] : outcomesOf(all.slice(at + 1))
  }
  const { operands, flags, values } = parameters(rest)
  const recursive = flags.some((flag) => /^r/.test(flag)) || operands.some((each) => each.source === '/s')
  const file = (access: 'read' | 'write' | 'delete', words: readonly Word[]): readonly CodeOutcome[] =>
    words
      .flatMap((each) => each.forms)
      .map((form) => ({ kind: 'file', access, form, recursive: access === 'delete' && recursive }))
  const paths = values.get('path') ?? values.get('literalpath') ?? values.get('filepath')
  const target = paths === undefined ? operands : [paths]
  if (DELETE.test(name))
    return piped && target.length === 0 ? file('delete', [unknownItem()]) : file('delete', target)
  if (WRITE.test(name)) return file('write', target.slice(0, 1))
  if (READ.test(name))
    return file('read', name === 'select-string' || name === 'sls' ? target.slice(1) : target)
  if (MOVE.test(name)) return [...file('delete', target.slice(0, 1)), ...file('write', target.slice(1))]
  if (COPY.test(name)) return [...file('read', target.slice(0, 1)), ...file('write', target.slice(1))]
  if (name === 'start-bitstransfer') {
    const target = values.get('destination') ?? operands[1]
    return [
      { kind: 'words', words: [exactWord(name), ...rest] },
      ...fetched(
        values.get('source') ?? operands[0],
        new Map(target === undefined ? [] : [['outfile', target]]),
      ),
    ]
  }
  if (FETCH.test(name)) return fetched(values.get('uri') ?? operands[0], values)
  if (name === 'join-path') return file('read', [joined(operands)])
  const program = AS_PROGRAM.get(name)
  if (program !== undefined) return [{ kind: 'words', words: program.map(exactWord) }]
  if (EVALUATE.test(name)) return evaluated(operands[0] ?? values.get('command'))
  if (START.test(name)) {
    const started = values.get('filepath') ?? operands[0]
    const list = values.get('argumentlist') ?? operands[1]
    return started === undefined ? [] : [{ kind: 'words', words: [started, ...splitList(list)] }]
  }
  if (JUDGED_BY_NAME.has(name)) return [{ kind: 'words', words: [exactWord(name), ...rest] }]
  return /^[a-z]+-[a-z]+$/.test(name) ? [] : [{ kind: 'words', words: all }]
}

/** The file is used by whoever asked for the path; that it is read is the least. */
function joined(parts: readonly Word[]): Word {
  const forms = parts.map((part) => part.forms[0] ?? [])
  return word(concatForms(...forms.flatMap((form, at) => (at === 0 ? [form] : [textForm('/'), form]))))
}

function unknownItem(): Word {
  return { source: '$_', forms: [[{ kind: 'unknown', text: '$_' }]], splits: false }
}

/** Parameters may be cut short: `-Rec` is `-Recurse`. A comma joins several items to one argument. */
const VALUED =
  /^(path|literalpath|filepath|uri|argumentlist|destination|value|outfile|method|body|command|itemtype|name|encoding|filter|include|exclude|erroraction|ea|pattern|infile|source)$/

function parameters(words: readonly Word[]): {
  readonly operands: readonly Word[]
  readonly flags: readonly string[]
  readonly values: ReadonlyMap<string, Word>
} {
  const operands: Word[] = []
  const flags: string[] = []
  const values = new Map<string, Word>()
  for (let at = 0; at < words.length; at += 1) {
    const each = words[at]
    const flag = /^-+([a-z]+):?$/i.exec(each?.source ?? '')?.[1]?.toLowerCase()
    const next = words[at + 1]
    if (each === undefined) break
    if (flag === undefined) operands.push(...splitList(each))
    else if (VALUED.test(flag) && next !== undefined) {
      values.set(flag, next)
      at += 1
    } else flags.push(flag)
  }
  return { operands, flags, values }
}

function splitList(each: Word | undefined): readonly Word[] {
  const text = each === undefined ? '' : (exactForm(each.forms[0] ?? []) ?? '')
  if (each === undefined) return []
  return text.includes(',')
    ? text
        .split(',')
        .filter((part) => part !== '')
        .map(exactWord)
    : [each]
}

function fetched(address: Word | undefined, values: ReadonlyMap<string, Word>): readonly CodeOutcome[] {
  const [file, target] = [values.get('infile'), values.get('outfile')]
  // With a file it is what curl does.
  if (file !== undefined && address !== undefined)
    return [{ kind: 'words', words: [exactWord('curl'), exactWord('-T'), file, address] }]
  if (target !== undefined && address !== undefined)
    return [{ kind: 'words', words: [exactWord('curl'), exactWord('-o'), target, address] }]
  const text = address === undefined ? '' : (exactForm(address.forms[0] ?? []) ?? '')
  const sends = values.has('body') || /^(post|put|patch)$/i.test(values.get('method')?.source ?? '')
  return [{ kind: 'net', direction: sends ? 'out' : 'in', host: /^(?:\w+:\/\/)?([\w.-]+)/.exec(text)?.[1] }]
}

function evaluated(code: Word | undefined): readonly CodeOutcome[] {
  const form = code?.forms[0]
  if (form === undefined || exactForm(form) === undefined || exactForm(form) === '')
    return [{ kind: 'opaque' }]
  return [{ kind: 'inline', language: 'powershell', form }]
}

const METHOD =
  /\[(?:System\.)?IO\.(?:File|Directory|FileInfo|DirectoryInfo)\]::(Delete|Move|WriteAll\w+|AppendAll\w+|ReadAll\w+|Create)\(\s*(?:'([^']*)'|"([^"]*)")(\s*,\s*\$true)?/gi

/** `[IO.File]::Delete('x')` */
function methodOutcomes(code: string): readonly CodeOutcome[] {
  const loaded: readonly CodeOutcome[] = LOADED.test(code) ? [{ kind: 'opaque' }] : []
  const files = [...code.matchAll(METHOD)].map(([, method = '', single, double, deep]): CodeOutcome => {
    const form = single === undefined ? expanded(double ?? '') : textForm(single)
    const access = /^(delete|move)/i.test(method) ? 'delete' : /^read/i.test(method) ? 'read' : 'write'
    return { kind: 'file', access, form, recursive: deep !== undefined }
  })
  return [...files, ...loaded]
}

/** Code that comes out of text or the network as a finished program. */
const LOADED =
  /\[(?:System\.)?(?:Reflection\.)?Assembly\]::(?:Unsafe)?Load(?:From|File|WithPartialName)?\b\s*\((?!\s*['"]System)|\bAssembly\.Load\(/i
