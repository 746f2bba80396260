import { type FileEffect, namedFiles } from '../../vocabulary/effect.ts'
import { findsIn } from '../../words/found.ts'
import { hasUnknown, type Word } from '../../words/words.ts'

/** How a program works on what it is given. */
interface Working {
  readonly recursive?: boolean
  readonly unsure?: string
}

export function deletions(word: Word, cwd: string | undefined, how: Working): readonly FileEffect[] {
  return reached('delete', word, cwd, how)
}

/**
 * The files that a program given the word works on. What `find` found without a test that narrows it is all of the
 * folder it looked in, whether the files are named one by one or not.
 */
export function reached(
  kind: FileEffect['kind'],
  word: Word,
  cwd: string | undefined,
  how: Working,
): readonly FileEffect[] {
  const marks = {
    ...(how.recursive === true ? { recursive: true } : {}),
    ...(how.unsure === undefined ? {} : { unsure: how.unsure }),
  }
  return namedFiles(withDefaults(word), cwd).map((file): FileEffect => {
    const finds = findsIn(file.form)
    if (finds === undefined) return { kind, ...file, ...marks }
    if (finds.narrowed) return { kind, ...file, ...marks, narrowed: true }
    const unsure = how.unsure ?? finds.unsure
    const doubt = unsure === undefined ? {} : { unsure }
    return { kind, ...file, form: finds.root, recursive: true, ...doubt }
  })
}

/** `${OUT:-dist}`: the default is what is meant; what a person may have set instead is their own choice. */
function withDefaults(word: Word): Word {
  if (!/\$\{\w+:?-[^}]/.test(word.source)) return word
  const known = word.forms.filter((form) => !hasUnknown(form))
  return known.length === 0 ? word : { ...word, forms: known }
}
