import { type ParseState, refuseText } from './parse-state.ts'

/** zsh reads some of what bash takes for a pattern or for text as code. */
const ZSH_RUNS = 'zsh runs a text in it as a command'

/** `*(e:'code':)` and `*(+function)`: qualifiers that run code for each file. Refuses the text. */
export function refuseQualifiers(pattern: string, job: ParseState): void {
  if (/\((?:#q)?[^()'"\w]*(?:[A-Za-z]*e[^\w\s|)*?.]|[^()|]*\+[A-Za-z_]\w*\)$)/.test(pattern))
    refuseText(job, ZSH_RUNS)
}

/** `${(e)x}` expands the value once more. */
export function refuseFlags(source: string, job: ParseState): void {
  const [, flags = ''] = /^\$\{\(([^)]*)\)/.exec(source) ?? []
  if (/e/.test(flags.replace(/[a-zA-Z]([:.,/|]).*?\1/g, ''))) refuseText(job, ZSH_RUNS)
}

/** `$^x` puts what stands around it to each element, `$=x` splits the value into words, `$~x` makes a pattern of it, and `$+x` says whether it is set. */
const SPLITTING = /\$(?:[=~+]|[=~^]{1,2})[A-Za-z_]\w*|\$\{[=~^+]+[A-Za-z_]/

export function refuseSplitting(source: string, job: ParseState): void {
  if (SPLITTING.test(source)) refuseText(job, 'it takes a variable apart as only zsh does')
}
