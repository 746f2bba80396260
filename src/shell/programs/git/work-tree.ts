import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ActEffect, FileEffect } from '../../vocabulary/effect.ts'
import { isInside, resolvePath } from '../../words/paths.ts'
import { exactForm, exactText, type Form, type Word } from '../../words/words.ts'
import { WORK_TREE } from './acts.ts'
import { givenVariables, readSetting } from './call.ts'
import type { GitVerbCall } from './verb.ts'

/**
 * The folder that git takes for its work tree is the one it is told, wherever it runs: by an option, a variable or a
 * setting, in this order.
 */
export function workTreeOf(
  given: Word | undefined,
  command: SimpleCommand,
  settings: GitVerbCall['config'],
): Word | undefined {
  const variable = givenVariables(command).findLast(({ name }) => name === 'GIT_WORK_TREE')?.value
  return given ?? variable ?? settings.findLast(({ key }) => key === 'core.worktree')?.value
}

/**
 * `git stash -u` takes every file out of the work tree that git does not track, and `git stash` what was added. In a
 * project that is what people use it for; a home, or a folder that git was told to take, is emptied.
 */
export function emptiesTree({ cwd, home, tree }: GitVerbCall): readonly FileEffect[] {
  const forms: readonly Form[] =
    tree?.forms ?? (cwd === undefined || !isInside(home, cwd) ? [] : [[{ kind: 'text', text: cwd }]])
  return forms
    .filter((form) => !isOwnTree(form, cwd, home))
    .map((form) => ({
      kind: 'delete',
      form,
      source: tree?.source ?? exactForm(form) ?? '',
      cwd,
      recursive: true,
    }))
}

function isOwnTree(form: Form, cwd: string | undefined, home: string): boolean {
  const text = exactForm(form)
  const path = text === undefined ? undefined : resolvePath(text, { cwd, home })
  if (path === undefined || cwd === undefined) return text !== undefined && /^\.\/?$/.test(text)
  return isInside(path, cwd) && !isInside(home, path)
}

/** Another folder as the work tree of what follows: every command that clears up would clear up there. */
export function takesTree(value: Word, cwd: string | undefined, home: string): readonly ActEffect[] {
  return value.forms.every((form) => isOwnTree(form, cwd, home))
    ? []
    : [
        {
          ...WORK_TREE,
          what: `makes git take ${exactText(value) ?? value.source} for its work tree from now on`,
        },
      ]
}

/** `export GIT_WORK_TREE=~` */
export function exportsTree({ args, cwd }: SimpleCommand, home: string): readonly ActEffect[] {
  const trees = args.flatMap(readSetting).filter(({ key }) => key === 'git_work_tree')
  return trees.flatMap(({ value }) => takesTree(value, cwd, home))
}
