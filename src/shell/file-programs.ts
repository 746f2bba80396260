import { wordSet } from '../core/word-list.ts'

/** What programs do with the files they are given. Data only; a program in none of these reads its arguments. */

/** Arguments are text, not files. */
export const DATA_ONLY = wordSet(`
  echo printf true false : exit return export declare local readonly typeset unset set shift sleep kill which
  type hash alias trap eval date seq expr read basename dirname say
`)

/** Whether a file is there, its size, its rights, its name: never what is in it. */
export const METADATA_ONLY = wordSet(`
  cd pushd ssh-add ssh-keygen code gpg age sops ansible-vault
`)

/** The first operand is a pattern or a program, the rest are files. */
export const PATTERN_FIRST = wordSet('grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk jq yq tr')

/** Every operand is changed or made. */
export const WRITES_ALL: ReadonlySet<string> = new Set(['touch', 'tee', 'truncate'])

/** Every operand is removed. */
export const REMOVES: ReadonlySet<string> = new Set(['rm', 'unlink', 'shred', 'rmdir', 'trash'])

/** The last operand is written, the others are read. */
export const WRITES_LAST = wordSet('cp mv install ln rsync scp ditto')

/** Does the table say of the program that it changes what it is given? */
export function changesItsOperands(name: string): boolean {
  return name === 'dd' || [WRITES_ALL, WRITES_LAST, REMOVES].some((programs) => programs.has(name))
}

/** Programs that take code as an argument; what it quotes may be a file. */
export const INTERPRETERS =
  /^(python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|ruby|perl|php|lua|Rscript|osascript|emacs|guile|julia|elixir|swift|tclsh)$/
