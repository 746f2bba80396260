import type { Facts } from '../../../../core/facts.ts'
import { readGit } from '../../../../shell/programs/git/call.ts'
import type { FoundEffect } from '../../../../shell/vocabulary/effect.ts'
import { isInProject, isTemporary } from '../files/protected-paths.ts'
import { groundOf } from '../files/targets.ts'

/** A clone in a temporary folder was made for this task, so no one loses work in it. */
export function inScratchClone({ command }: FoundEffect, facts: Facts): boolean {
  if (command.name !== 'git' || command.remote !== undefined) return false
  const { cwd } = readGit(command.args, { cwd: command.cwd, home: facts.home })
  if (cwd === undefined || /--(git-dir|work-tree)\b|\bGIT_(DIR|WORK_TREE)=/.test(command.fragment))
    return false
  const ground = groundOf(facts, undefined)
  return [cwd, facts.realpath(cwd)].every((path) => isTemporary(path, ground) && !isInProject(path, ground))
}
