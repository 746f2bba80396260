import type { ActEffect, ShellEffect } from '../../vocabulary/effect.ts'
import { exactText } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'

const GONE: ActEffect = {
  kind: 'data-destroy',
  act: 'files/delete-backups',
  what: 'deletes backups',
}

/** Programs that keep backups: the words that delete some, and those that only try. */
const DELETES: Readonly<Record<string, RegExp>> = {
  restic: /(^| )(forget|prune|key remove)( |$)/,
  borg: /(^| )(delete|prune)( |$)/,
  'rdiff-backup': /(^| )(--remove-\S+|remove)( |$)/,
  duplicity: /(^| )(remove-\S+|cleanup)( |$)/,
  kopia: /(^| )(snapshot (delete|expire)|repository delete)( |$)/,
  pgbackrest: /(^| )(stanza-delete|expire)( |$)/,
  tmutil: /^(delete\w*|thinlocalsnapshots)( |$)/,
  unison: /(^| )-force( |$)/,
}

export const BACKUP_PROGRAMS = Object.keys(DELETES)

export function backupEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const line = command.args.map((word) => exactText(word) ?? '$').join(' ')
  if (/(^| )(--dry-run|-n|--help|-h)( |$)/.test(line)) return []
  return DELETES[name]?.test(line) === true ? [GONE] : []
}
