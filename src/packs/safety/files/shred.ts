import { isFileEffect } from '../../../shell/effect.ts'
import { caughtEffect, shellEffects } from '../../effects-of.ts'
import type { Caught, GuardInput } from '../../guard.ts'
import { actsIn, type FoundAct, look, shellGuard } from '../../shell-guard.ts'
import { isTemporary } from './protected-paths.ts'
import { groundOf, targetsOf } from './targets.ts'

/** Overwriting files before they are deleted. */
export const shred = shellGuard({
  id: 'safety/files/shred',
  title: 'Shredding a file',
  why: 'Shredding is made so that nothing, not even a repair of the disk, brings the file back.',
  instead: 'delete it in the ordinary way (`rm -f old-key.txt`), or ask the person to shred it.',
  keywords: ['shred', 'srm', 'wipe'],
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
  looks: [look(actsIn(['files/shred']), judge)],
})

/** What is temporary may go in whatever way. */
function judge(found: FoundAct, { event, facts }: GuardInput): Caught | null {
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
