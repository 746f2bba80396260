import { readOptions } from '../../arguments/options.ts'
import { isWindowsCall } from '../../arguments/windows-options.ts'
import { exactText, patternForm, type Word } from '../../words/words.ts'
import { type ProgramCall, program } from '../program.ts'
import { windowsLaunch } from '../windows/cmd.ts'
import { isInert } from './inert.ts'
import { deletions } from './reached.ts'

const OPTIONS = `
  h|help version g|glob G|no-glob i|interactive I|no-interactive v|verbose V|no-verbose impl= preserve-root
  no-preserve-root tmp= max-retries= retry-delay= backoff= f|force d|dry-run
`

/** Always with everything below, and patterns in quotes are theirs to expand. */
function removedTree({ command }: ProgramCall) {
  const read = readOptions(command.args, OPTIONS)
  if (isInert(read)) return []
  return read.operands.flatMap((target) => {
    return deletions(asPattern(target), command.cwd, { recursive: true })
  })
}

function asPattern(word: Word): Word {
  const text = exactText(word)
  return text === undefined || text === '' ? word : { ...word, forms: [patternForm(text)] }
}

export const rimraf = program('rimraf del-cli', { does: removedTree })

export const del = program('del', {
  // `del /s x` of Windows is read as what it is where it is started.
  does: (call) => (isWindowsCall(call.command.args) ? [] : removedTree(call)),
  starts: windowsLaunch,
})
