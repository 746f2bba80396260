import { readOptions, valuesOf } from '../../arguments/options.ts'
import { exactText, type Word } from '../../words/words.ts'
import { TRANSPORT_COMMAND } from './acts.ts'
import { readSetting } from './call.ts'
import { keptEffects } from './config.ts'
import { knownPrefix, type Verb } from './verb.ts'

/** Fetching and pushing with another program in place of git's own. */

const CLONED = `
  u|upload-pack= receive-pack= exec= c|config= b|branch= o|origin= depth= j|jobs= reference= template= filter=
  n|no-checkout l|local s|shared q|quiet v|verbose
`
/** Here `-u` and `-o` are other options. */
const PUSHED = 'receive-pack= exec= o|push-option= repo= u|set-upstream'
const FETCHED = 'upload-pack= exec= o|server-option= u|update-head-ok depth= j|jobs='

/** clone, fetch, pull, push, ls-remote, remote, submodule, archive: whatever talks to another repository. */
export function transport(verb: string): Verb {
  const table = verb === 'clone' ? CLONED : verb === 'push' ? PUSHED : FETCHED
  return ({ args, cwd, home }) => {
    const read = readOptions(args, table)
    const programs = valuesOf(read, 'upload-pack', 'receive-pack', 'exec')
    const runs = programs.some((word) => !isTransportProgram(word)) || read.operands.some(isRunningAddress)
    const hooks = valuesOf(read, 'template').map((value) => ({ key: 'init.templatedir', value }))
    const settings = [...valuesOf(read, 'config').flatMap(readSetting), ...hooks]
    const kept = keptEffects(settings, { cwd, home })
    return [...(runs ? [TRANSPORT_COMMAND] : []), ...kept]
  }
}

/** The program by its own name, wherever it lies. */
function isTransportProgram(word: Word): boolean {
  const text = exactText(word)
  return text !== undefined && /^(?:[\w./~-]*\/)?git[ -](upload-pack|receive-pack|upload-archive)$/.test(text)
}

/** `ext::sh -c …`: an address that is a command. */
function isRunningAddress(word: Word): boolean {
  return word.forms.some((form) => /^ext::/i.test(knownPrefix(form)))
}
