import { readOptions } from '../../arguments/options.ts'
import { baseName } from '../../words/paths.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { StartedProgram } from '../program.ts'

/** The script or module that an interpreter is given, where that is a program: `manage.py`, `-m twine`. */
export function startedScript(words: readonly Word[]): StartedProgram | undefined {
  const [program, ...args] = interpreted(words)
  const text = exactText(program)
  if (text === undefined || text === '' || text.startsWith('-')) return undefined
  return { name: baseName(text), args }
}

const OPTIONS = 'm= c= e|eval= r|require= W= X= d= import= loader= I= p|print= E u B s S O q i b n h V v 3 2'

function interpreted(args: readonly Word[]): readonly Word[] {
  const module = args.findIndex((word) => /^-[a-zA-Z]*m$/.test(exactText(word) ?? ''))
  const read = readOptions(args, OPTIONS, { stopAtOperand: true })
  if (module >= 0 && module < read.operandsAt) return args.slice(module + 1)
  return read.options.some(({ name }) => ['c', 'eval', 'print'].includes(name))
    ? []
    : args.slice(read.operandsAt)
}

/** `java -jar bfg-1.14.0.jar …` is bfg. */
export function startedJar(args: readonly Word[]): StartedProgram | undefined {
  const at = args.findIndex((word) => exactText(word) === '-jar')
  const text = at < 0 ? undefined : exactText(args[at + 1])
  const name = /^([A-Za-z][\w-]*?)(?:-\d[\w.-]*)?\.jar$/.exec(baseName(text ?? ''))?.[1]
  return name === undefined ? undefined : { name, args: args.slice(at + 2) }
}
