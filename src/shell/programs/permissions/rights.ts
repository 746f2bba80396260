import { isSet, readOptions } from '../../arguments/options.ts'
import { exactText, exactWord } from '../../words/words.ts'
import { type ProgramCall, type ProgramTable, program } from '../program.ts'
import { ATTRIBUTES, CHANGE, done, OPEN, OPEN_ALL, OWNER, SETUID } from './acts.ts'

const SETFACL = `
  m|modify= M|modify-file= x|remove= X|remove-file= b|remove-all k|remove-default n set= set-file= mask
  d|default restore= test R|recursive L P v h|help
`

const setfacl = program('setfacl', {
  does: (call) => {
    const read = readOptions(call.command.args, SETFACL)
    if (isSet(read, 'test') || isSet(read, 'help')) return []
    const recursive = isSet(read, 'recursive')
    const given = read.options.filter((option) => ['modify', 'set'].includes(option.name))
    const opens = given.some((option) =>
      /(^|,)(d:|default:)?o(ther)?:+[r-]?w/.test(exactText(option.value) ?? ''),
    )
    if (opens) return done(OPEN, read.operands, call, recursive)
    return recursive ? done(CHANGE, read.operands, call, recursive) : []
  },
  files: { operands: 'metadata' },
})

/** `+i` and `-i`, `+a` and `-a` decide whether a file can be changed; the others are tuning. */
const chattr = program('chattr', {
  does: (call) => {
    const words = call.command.args
    const changes = words.filter((word) => /^[-+=][A-Za-z]+$/.test(exactText(word) ?? ''))
    const recursive = changes.some((word) => /^-[A-Za-z]*R/.test(exactText(word) ?? ''))
    if (!changes.some((word) => /^[-+=][A-Za-z]*[ia]/.test(exactText(word) ?? ''))) return []
    const targets = words.filter((word) => !changes.includes(word))
    return targets.length === 0 ? [] : done(ATTRIBUTES, targets, call, recursive)
  },
  files: { operands: 'metadata' },
})

const setcap = program('setcap', {
  does: (call) => {
    const { options, operands } = readOptions(call.command.args, 'r v q n= f h')
    if (options.some((option) => ['r', 'v', 'h'].includes(option.name)) || operands.length < 2) return []
    const targets = operands.filter((_, at) => at % 2 === 1)
    return done(SETUID, targets, call, false)
  },
})

/** macOS: `chflags -R uchg x`. */
const chflags = program('chflags', {
  does: (call) => {
    const { options, operands } = readOptions(call.command.args, 'R H L P f h v x')
    const recursive = options.some((option) => option.name === 'R')
    const locks = /(^|,)(no)?(uchg|uimmutable|schg|simmutable|uappnd|sappnd|restricted|hidden)/
    if (!locks.test(exactText(operands[0]) ?? '') || operands.length < 2) return []
    return done(ATTRIBUTES, operands.slice(1), call, recursive)
  },
})

/** Windows: `icacls C:\\ /grant Everyone:F /T`. */
const icacls = program('icacls', {
  does: (call) => {
    const words = textsOf(call)
    const opens = words.some((word) => /^(Everyone|Users|\*S-1-1-0):.*[FMW]/i.test(word))
    return opens ? doneTo(words[0] ?? '', OPEN_ALL, call) : []
  },
})

/** Windows: `takeown /F C:\\Windows /R`. */
const takeown = program('takeown', {
  does: (call) => {
    const words = textsOf(call)
    const at = words.findIndex((word) => /^\/f$/i.test(word)) + 1
    return at === 0 ? [] : doneTo(words[at] ?? '', OWNER, call)
  },
})

function textsOf({ command }: ProgramCall): readonly string[] {
  return command.args.map((word) => exactText(word) ?? '')
}

/** A drive counts as the top. */
function doneTo(target: string, what: typeof OPEN_ALL | typeof OWNER, call: ProgramCall) {
  if (target === '') return []
  const recursive = textsOf(call).some((word) => /^\/[tr]$/i.test(word))
  return done(what, [exactWord(/^[a-z]:/i.test(target) ? `/${target}` : target)], call, recursive)
}

export const RIGHTS: ProgramTable = {
  ...setfacl,
  ...chattr,
  ...setcap,
  ...chflags,
  ...icacls,
  ...takeown,
}
