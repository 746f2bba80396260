import { commandDimensions } from './commands.ts'
import type { Dimension } from './dimension.ts'
import { hookDimensions } from './hooks.ts'
import { journalDimensions } from './journal.ts'
import { ruleDimensions } from './rules.ts'
import { sessionDimensions } from './sessions.ts'

export const DIMENSIONS: readonly Dimension[] = [
  ...ruleDimensions,
  ...hookDimensions,
  ...sessionDimensions,
  ...journalDimensions,
  ...commandDimensions,
]
