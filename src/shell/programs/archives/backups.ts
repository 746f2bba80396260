import { exactText } from '../../words/words.ts'
import type { Packs, Program } from '../program.ts'
import { PROTECTION_OFF } from '../system/acts.ts'
import { DELETE_BACKUPS } from './acts.ts'

/** A program that keeps backups, and the words that delete some. */
function backups(names: string, deletes: RegExp, packs?: Packs): Program {
  return {
    names,
    does: ({ command }) => {
      const line = command.args.map((word) => exactText(word) ?? '$').join(' ')
      if (/(^| )(--dry-run|-n|--help|-h)( |$)/.test(line)) return []
      return deletes.test(line) ? [DELETE_BACKUPS] : []
    },
    ...(packs === undefined ? {} : { packs }),
  }
}

export const BACKUPS: readonly Program[] = [
  backups('restic', /(^| )(forget|prune|key remove)( |$)/, {}),
  backups('borg', /(^| )(delete|prune)( |$)/, {}),
  backups('rdiff-backup', /(^| )(--remove-\S+|remove)( |$)/),
  backups('duplicity', /(^| )(remove-\S+|cleanup)( |$)/),
  backups('kopia', /(^| )(snapshot (delete|expire)|repository delete)( |$)/),
  backups('pgbackrest', /(^| )(stanza-delete|expire)( |$)/),
  backups('unison', /(^| )-force( |$)/),
  {
    ...backups('tmutil', /^(delete\w*|thinlocalsnapshots)( |$)/),
    lines: [
      [
        { ...PROTECTION_OFF, what: 'switches off or removes the backups of this Mac' },
        /\b(?:disable|disablelocal|deletelocalsnapshots|delete|removedestination|addexclusion)\b/,
      ],
    ],
  },
  {
    names: 'snapper timeshift',
    lines: [
      [
        { ...PROTECTION_OFF, what: 'removes the snapshots of this machine' },
        /\bdelete(?:-all)?\b|--delete-all\b/,
      ],
    ],
  },
]
