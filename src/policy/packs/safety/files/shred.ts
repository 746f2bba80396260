import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { isFileEffect } from '../../../../shell/vocabulary/effect.ts'
import { caughtEffect, shellEffects } from '../../../analysis/effects-of.ts'
import { actsIn, detector, type FoundAct, shellGuard } from '../../shell-guard.ts'
import { isTemporary } from './protected-paths.ts'
import { groundOf, targetsOf } from './targets.ts'

/** Overwriting files before they are deleted. */
export const shred = shellGuard({
  id: 'safety/files/shred',
  title: 'Shredding a file',
  why: 'A shredded file is overwritten, so it cannot be recovered, not even with disk recovery tools.',
  instead: 'delete it normally (`rm -f old-key.txt`), or let the user shred it.',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'shred -u notes.txt',
      'shred -n 3 -z ~/.bash_history',
      'shred --remove=wipe src/a.ts',
      'shred -uvz *.sql',
      'srm -rf data',
      'wipe -rf data',
      'find . -type f -exec shred -u {} +',
      'find . -name "*.db" | xargs shred',
      'shred "$FILE"',
      'shred -u notes.txt "',
    ],
    passes: [
      'shred --help | head -n 1',
      'shred --version',
      'shred -u /tmp/secret.txt',
      'srm --help',
      'wipe -h',
      'rm -f notes.txt',
      'man shred',
      'which shred srm wipe',
      'npm run wipe',
      'grep -rn shred docs',
    ],
  },
  mentions: /\b(shred|srm|wipe)\b/,
  maybe: 'may shred files',
  detectors: [detector(actsIn(['files/shred']), judge)],
})

/** Temporary files may be shredded. */
function judge(found: FoundAct, { event, facts }: GuardInput): GuardMatch | null {
  const { effect, command } = found
  const targets = shellEffects(event, facts).flatMap((each) => {
    if (each.command !== command || !isFileEffect(each.effect) || each.effect.kind !== 'delete') return []
    return targetsOf(each.effect, command, facts)
  })
  const ground = groundOf(facts, command)
  const temporary = targets.every(
    ({ paths }) => paths.length > 0 && paths.every((path) => isTemporary(path, ground)),
  )
  return temporary && targets.length > 0 ? null : caughtEffect(found, effect.what, facts.home)
}
