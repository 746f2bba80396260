import { type ActEffect, act, type FileEffect } from '../../vocabulary/effect.ts'
import type { Word } from '../../words/words.ts'
import { reached } from '../files/reached.ts'
import type { ProgramCall } from '../program.ts'

export const OPEN_ALL = act('permissions/open-all', 'privilege', 'lets every user read, change and run files')
export const OPEN = act('permissions/open', 'privilege', 'lets every user change files')
export const CLOSE = act(
  'permissions/close',
  'privilege',
  'takes the rights to files away from everybody, their owner included',
)
export const SHOW = act('permissions/show', 'privilege', 'lets other users read a private key')
export const TIGHTEN = act('permissions/tighten', 'privilege', 'takes rights from others, in a whole folder')
export const CHANGE = act('permissions/change', 'privilege', 'changes the rights of everything in a folder')
export const OWNER = act('permissions/owner', 'privilege', 'gives files to another owner')
export const SETUID = act(
  'permissions/setuid',
  'privilege',
  'lets every user run a program with the rights of another user',
)
export const ATTRIBUTES = act(
  'permissions/attributes',
  'privilege',
  'changes what may be done with files at all',
)

/** The act, and the files it is done to. */
export function done(
  what: ActEffect,
  targets: readonly Word[],
  { command: { cwd } }: ProgramCall,
  recursive: boolean,
): readonly (ActEffect | FileEffect)[] {
  return [what, ...targets.flatMap((word) => reached('metadata', word, cwd, { recursive }))]
}
