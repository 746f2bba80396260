import type { ActEffect } from '../../vocabulary/effect.ts'
import { FLUSH } from './acts.ts'

/** What a piece of the shell's JavaScript would do. Read lightly: names of methods, not the language. */
export function mongoEffects(code: string): readonly ActEffect[] {
  const plain = withoutTexts(withoutBrackets(code.replace(/\/\*[^*]*\*\/|\/\/[^\n]*/g, ' '))).replace(
    /\s+/g,
    '',
  )
  return DROPS.test(plain) ? [FLUSH] : []
}

const DROPS =
  /\.(dropDatabase|drop|dropAllUsers|dropAllRoles)\(|\.(deleteMany|remove|findAndRemove)\((\{\})?[,)]|[{,](dropDatabase|drop):|\.(updateMany)\(\{\},\{\$unset/

/** `db['users']['drop']` is `db.users.drop`. */
function withoutBrackets(code: string): string {
  return code.replace(/\[\s*(["'`])([\w$]+)\1\s*\]/g, '.$2')
}

/** Keys of an object may be quoted; what else is quoted is data. */
function withoutTexts(code: string): string {
  return code.replace(/(["'])(\w+)\1(?=\s*:)/g, '$2').replace(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g, '""')
}
