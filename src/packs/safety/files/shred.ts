import { isAct, isFileEffect } from '../../../shell/effect.ts'
import { caughtEffect, shellEffects } from '../../effects-of.ts'
import type { Guard } from '../../guard.ts'
import { shellOf, unreadable } from '../../shell-of.ts'
import { strongest } from '../../strongest.ts'
import { isTemporary } from './protected-paths.ts'
import { groundOf, targetsOf } from './targets.ts'

/** Overwriting files before they are deleted. */
export const shred: Guard = {
  id: 'safety/files/shred',
  title: 'Shredding a file',
  why: 'Shredding is made so that nothing, not even a repair of the disk, brings the file back.',
  instead: 'delete it in the ordinary way (`rm -f old-key.txt`), or ask the person to shred it.',
  on: ['PreToolUse'],
  match: 'Bash',
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
  check({ event, facts }) {
    const analysis = shellOf(event, facts)
    if (!analysis.judged) return unreadable(event, analysis.why, /\b(shred|srm|wipe)\b/, 'may shred files')
    const all = shellEffects(event, facts)
    return strongest(all, (found) => {
      const { effect, command } = found
      if (!isAct(effect) || effect.act !== 'files/shred') return null
      const files = all.flatMap((each) => {
        return each.command === command && isFileEffect(each.effect) && each.effect.kind === 'delete'
          ? [each.effect]
          : []
      })
      const ground = groundOf(facts, command)
      const targets = files.flatMap((file) => targetsOf(file, command, facts))
      const temporary = targets.every(
        ({ paths }) => paths.length > 0 && paths.every((path) => isTemporary(path, ground)),
      )
      return temporary && targets.length > 0 ? null : caughtEffect(found, effect.what, facts.home)
    })
  },
}
