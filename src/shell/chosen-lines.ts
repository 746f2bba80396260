import { concatForms, exactForm, type Form, hasUnknown, textPiece } from './words/words.ts'

/**
 * Some of the names a listing printed: `ls -a | grep cl`, `ls -d .c* | head -1`. Only for listings whose names are
 * patterns; undefined for everything else.
 */
export function chosenLines(
  program: string,
  options: readonly (string | undefined)[],
  input: readonly Form[],
): readonly Form[] | undefined {
  if (input.length === 0 || input.some((form) => exactForm(form) !== undefined || hasUnknown(form)))
    return undefined
  if (/^(?:head|tail|sort|uniq|tac|sed)$/.test(program))
    return options.every((each) => /^-|^\d+[dpq]?$/.test(each ?? '?')) ? input : undefined
  if (!/^[ef]?grep$/.test(program)) return undefined
  const texts = options.map((each) => each ?? '?')
  if (texts.some((text) => /^-[a-zA-Z]*[cqlL]/.test(text))) return undefined
  const [pattern, ...files] = texts.filter((text) => !text.startsWith('-'))
  if (pattern === undefined || files.length > 0) return undefined
  if (texts.some((text) => /^-[a-zA-Z]*v/.test(text))) return input
  const letters = /^\^?(?:\\?\.)?([\w-]+)\$?$/.exec(pattern)?.[1]
  return letters === undefined ? input : input.map((form) => holding(form, letters))
}

/** A name of which nothing else is known must hold these letters. */
function holding(form: Form, letters: string): Form {
  const last = form.at(-1)
  if (last?.kind !== 'glob' || last.text !== '*') return form
  return concatForms(form, [textPiece(letters), last])
}
