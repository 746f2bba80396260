import { optionTable, readOptions } from './arguments/options.ts'
import type { SimpleCommand } from './vocabulary/command.ts'
import { baseName } from './words/paths.ts'
import { exactText, exactWord, type Word } from './words/words.ts'

/**
 * The program that an interpreter starts, as a command of its own: `python manage.py flush`, `python -m twine upload`.
 * Undefined when it starts none, or one that is not known.
 */
export function startedProgram(command: SimpleCommand): SimpleCommand | undefined {
  const name = command.name ?? ''
  if (name === 'java') return startedJar(command)
  if (!INTERPRETERS.test(name)) return undefined
  const [program, ...args] = interpreted(command.args)
  const text = exactText(program)
  if (text === undefined || text === '' || text.startsWith('-')) return undefined
  return as(baseName(text), args, command)
}

/** `java -jar bfg-1.14.0.jar …` is bfg. */
function startedJar(command: SimpleCommand): SimpleCommand | undefined {
  const at = command.args.findIndex((word) => exactText(word) === '-jar')
  const text = at < 0 ? undefined : exactText(command.args[at + 1])
  const jar = /^([A-Za-z][\w-]*?)(?:-\d[\w.-]*)?\.jar$/.exec(baseName(text ?? ''))?.[1]
  return jar === undefined ? undefined : as(jar, command.args.slice(at + 2), command)
}

function as(started: string, args: readonly Word[], command: SimpleCommand): SimpleCommand {
  const name = command.name ?? ''
  return { ...command, name: started, word: exactWord(started), args, via: [...command.via, name] }
}

const INTERPRETERS = /^(python[\d.]*|py|pypy[\d.]*|php[\d.]*|ruby|node|nodejs|tsx|ts-node)$/

const OPTIONS = optionTable(
  'm= c= e|eval= r|require= W= X= d= import= loader= I= p|print= E u B s S O q i b n h V v 3 2',
)

function interpreted(args: readonly Word[]): readonly Word[] {
  const module = args.findIndex((word) => /^-[a-zA-Z]*m$/.test(exactText(word) ?? ''))
  const read = readOptions(args, OPTIONS, { stopAtOperand: true })
  if (module >= 0 && module < read.operandsAt) return args.slice(module + 1)
  return read.options.some(({ name }) => ['c', 'eval', 'print'].includes(name))
    ? []
    : args.slice(read.operandsAt)
}
