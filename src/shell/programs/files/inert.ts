import { isSet, type ReadOptions } from '../../arguments/options.ts'

/** It only says something about itself, or what it would do. */
export function isInert(read: ReadOptions): boolean {
  return ['help', 'version', 'dry-run'].some((name) => isSet(read, name))
}
