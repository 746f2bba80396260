import type { ActEffect, ShellEffect } from '../../vocabulary/effect.ts'
import type { Word } from '../../words/words.ts'
import { reached } from '../files/reached.ts'
import type { ModelCall } from '../model.ts'

const ACTS = {
  'open-all': 'lets every user read, change and run files',
  open: 'lets every user change files',
  close: 'takes the rights to files away from everybody, their owner included',
  show: 'lets other users read a private key',
  tighten: 'takes rights from others, in a whole folder',
  change: 'changes the rights of everything in a folder',
  owner: 'gives files to another owner',
  setuid: 'lets every user run a program with the rights of another user',
  attributes: 'changes what may be done with files at all',
}

export function permissionAct(name: keyof typeof ACTS, unsure?: string): ActEffect {
  const doubt = unsure === undefined ? {} : { unsure }
  return { kind: 'privilege', act: `permissions/${name}`, what: ACTS[name], ...doubt }
}

/** The act, and the files it is done to. */
export function done(
  what: ActEffect,
  targets: readonly Word[],
  call: ModelCall,
  recursive: boolean,
): readonly ShellEffect[] {
  const { cwd } = call.command
  return [what, ...targets.flatMap((word) => reached('metadata', word, cwd, { recursive }))]
}
