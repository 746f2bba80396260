import { exactText } from '../../words/words.ts'
import { program } from '../program.ts'
import { cp } from './cp.ts'
import { ln } from './ln.ts'
import { mv } from './mv.ts'
import { rm } from './rm.ts'
import { touch } from './truncate.ts'

const VERBS = { ...rm, ...mv, ...cp, ...ln, ...touch }

/** `shx rm -rf x`: another program's name comes first. */
export const shx = program('shx', {
  does: (call) => {
    const [verb, ...args] = call.command.args
    const name = exactText(verb) ?? ''
    return (
      (Object.hasOwn(VERBS, name) ? VERBS[name] : undefined)?.does?.({
        ...call,
        name,
        command: { ...call.command, args },
      }) ?? []
    )
  },
})
