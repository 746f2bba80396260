import { readOptions } from '../../arguments/options.ts'
import { isWindowsCall } from '../../arguments/windows-options.ts'
import { type ProgramCall, program } from '../program.ts'
import { windowsLaunch } from '../windows/cmd.ts'
import { isInert } from './inert.ts'
import { deletions } from './reached.ts'

const OPTIONS = 'p|parents v|verbose ignore-fail-on-non-empty help version'

/** Only what is empty, or one file. */
export function removedOne({ command }: ProgramCall) {
  const read = readOptions(command.args, OPTIONS)
  if (isInert(read)) return []
  return read.operands.flatMap((target) => deletions(target, command.cwd, {}))
}

export const rmdir = program('rmdir', {
  // `rmdir /s x` of Windows is read as what it is where it is started.
  does: (call) => (isWindowsCall(call.command.args) ? [] : removedOne(call)),
  starts: windowsLaunch,
  files: { operands: 'delete' },
})

export const unlink = program('unlink', {
  does: removedOne,
  files: { operands: 'delete' },
  keeps: { kind: 'removes' },
})
