import { exactText } from '../../words/words.ts'
import type { Program } from '../program.ts'
import { cp } from './cp.ts'
import { ln } from './ln.ts'
import { mv } from './mv.ts'
import { rm } from './rm.ts'
import { touch } from './truncate.ts'

const VERBS: ReadonlyMap<string, Program> = new Map(Object.entries({ rm, mv, cp, ln, touch }))

/** `shx rm -rf x`: another program's name comes first. */
export const shx: Program = {
  names: 'shx',
  does: (call) => {
    const [verb, ...args] = call.command.args
    const name = exactText(verb) ?? ''
    return VERBS.get(name)?.does?.({ ...call, name, command: { ...call.command, args } }) ?? []
  },
}
