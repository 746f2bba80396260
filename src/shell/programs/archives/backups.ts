import { exactText } from '../../words/words.ts'
import type { Packs, Program, ProgramTable } from '../program.ts'
import { PROTECTION_OFF } from '../system/acts.ts'
import { DELETE_BACKUPS } from './acts.ts'

/** A program that keeps backups, and the words that delete some. */
function backups(deletes: RegExp, packs?: Packs): Program {
  return {
    does: ({ command }) => {
      const line = command.args.map((word) => exactText(word) ?? '$').join(' ')
      if (/(^| )(--dry-run|-n|--help|-h)( |$)/.test(line)) return []
      return deletes.test(line) ? [DELETE_BACKUPS] : []
    },
    ...(packs === undefined ? {} : { packs }),
  }
}

export const BACKUPS: ProgramTable = {
  restic: backups(/(^| )(forget|prune|key remove)( |$)/, {}),
  borg: backups(/(^| )(delete|prune)( |$)/, {}),
  'rdiff-backup': backups(/(^| )(--remove-\S+|remove)( |$)/),
  duplicity: backups(/(^| )(remove-\S+|cleanup)( |$)/),
  kopia: backups(/(^| )(snapshot (delete|expire)|repository delete)( |$)/),
  pgbackrest: backups(/(^| )(stanza-delete|expire)( |$)/),
  unison: backups(/(^| )-force( |$)/),
  tmutil: {
    ...backups(/^(delete\w*|thinlocalsnapshots)( |$)/),
    lines: [
      [
        { ...PROTECTION_OFF, what: 'switches off or removes the backups of this Mac' },
        /\b(?:disable|disablelocal|deletelocalsnapshots|delete|removedestination|addexclusion)\b/,
      ],
    ],
  },
  'snapper timeshift': {
    lines: [
      [
        { ...PROTECTION_OFF, what: 'removes the snapshots of this machine' },
        /\bdelete(?:-all)?\b|--delete-all\b/,
      ],
    ],
  },
}
