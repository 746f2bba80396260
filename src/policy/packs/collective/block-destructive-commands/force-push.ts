import { effectsOf } from '../../../../shell/effects.ts'
import { isAct } from '../../../../shell/vocabulary/effect.ts'
import { patternGuard } from './command-guard.ts'

/** A push that overwrites commits of other people. A push with a lease does not. */
export const forcePushPattern = patternGuard({
  id: 'collective/block-destructive-commands/force-push',
  title: 'Force push',
  why: 'It can delete commits from the shared repository that exist nowhere else.',
  instead: 'push without force, or run `git push --force-with-lease`.',
  mentions: /push|send-pack/i,
  maybe: 'may overwrite branches on the remote',
  examples: {
    stops: [
      'git push --force',
      'git push -f origin main',
      'git push origin +main',
      'git push -fu origin main',
      'git push --mirror backup',
      'git -C ../other push -f',
      'F=--force; git push $F',
      '/usr/bin/git push --force',
      'git push origin main --force',
      'git push --force-with-lease --force origin main',
    ],
    passes: [
      'git push',
      'git push origin main',
      'git push --force-with-lease origin main',
      'git push --dry-run --force origin main',
      'git push origin main --tags',
      'echo git push --force',
      'git commit -m "no git push --force"',
      'grep -rn "git push -f" docs',
      'git fetch --force origin',
      'git log --grep="push --force"',
    ],
  },
  find(command, { facts }) {
    const pushes = effectsOf([command], facts.home).flatMap(({ effect }) =>
      isAct(effect) && effect.act === 'git/force-push' ? [effect] : [],
    )
    const push = pushes.find(({ unsure }) => unsure === undefined) ?? pushes[0]
    if (push === undefined) return undefined
    return { caught: push.what, ...(push.unsure === undefined ? {} : { unsure: push.unsure }) }
  },
})
