import { program } from '../program.ts'
import { leavesCopies, PLACING_OPTIONS, placed, takenAway } from './placing.ts'

const OPTIONS = [PLACING_OPTIONS, 'strip-trailing-slashes no-copy exchange h'].join(' ')

export const mv = program('mv', {
  does: (call) => {
    const moved = placed(call, OPTIONS)
    if (moved === undefined) return []
    return [...moved.sources.flatMap((word) => takenAway(word, call.command.cwd)), ...moved.written]
  },
  files: { operands: 'move', writesLast: true, showsKeys: true },
  leaves: leavesCopies,
  keeps: { kind: 'copies', moves: true },
})
