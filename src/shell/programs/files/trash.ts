import { exactText } from '../../words/words.ts'
import { type ProgramCall, program } from '../program.ts'
import { takenAway } from './placing.ts'
import { removedOne } from './rmdir.ts'
import { plainOperands } from './writing.ts'

function trashed({ command }: ProgramCall) {
  return plainOperands(command.args).flatMap((word) => takenAway(word, command.cwd))
}

export const trash = program('trash', {
  does: trashed,
  files: { operands: 'delete' },
  keeps: { kind: 'removes' },
})

export const trashPut = program('trash-put', { does: trashed })

/** `gio remove x`, `gio trash x`. */
export const gio = program('gio', {
  does: (call) => {
    const [verb, ...args] = call.command.args
    const inner = { ...call, command: { ...call.command, args } }
    if (exactText(verb) === 'remove') return removedOne(inner)
    return exactText(verb) === 'trash' ? trashed(inner) : []
  },
})
