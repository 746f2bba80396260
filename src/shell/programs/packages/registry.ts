import {
  type Certainty,
  certainly,
  type VerbCall,
  type VerbProgram,
  type VerbRule,
} from '../../arguments/verbs.ts'
import { exactTexts } from '../../words/words.ts'
import { PUBLISH, UNPUBLISH } from './acts.ts'

const OPTIONS = `
  C|prefix|cwd|dir|directory= w|workspace= registry= tag= access= otp= filter|F= loglevel= manifest-path=
  p|package= token= index= target-dir= Z= config= color= vers|version= r|repository= repository-url=
  u|username= host= k|key= s|source= api-key= features= i= f|file= pl= P= D= publish-url= n|dry-run dry-run=?
  dryRun h|help json g|global no-git-checks allow-dirty no-verify undo snapshot skip-publish y|yes q v build
  c= context= configuration= project= revert= publish e B U T= am o N
`

export function publishing(...rules: readonly VerbRule[]): VerbProgram {
  return { options: OPTIONS, dryRun: 'dry-run dryRun', harmless: HARMLESS, rules }
}

const HARMLESS = `
  install i ci run test build add remove exec start check sync update list ls info view audit outdated init
  clean fmt clippy doc pack
`
export const published = (verbs: string): VerbRule => [verbs, PUBLISH]
export const unpublished = (verbs: string): VerbRule => [verbs, UNPUBLISH]

/** Fetched over a line that anybody on the way can change, from no machine near by: what it holds is run. */
const OPEN_LINE =
  /^(?:--?[\w-]+=|[\w.:@/-]+=)?http:\/\/(?!localhost\b|127\.|\[::1\]|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[\w-]+[:/]|[^/]*\.(?:local|internal|test|lan|localhost)\b)/i

/** `npm install http://…`, `--registry http://…`, `config set registry http://…`. */
export function overOpenLine({ rest, read }: VerbCall): Certainty {
  const words = [...rest, ...read.options.flatMap(({ value }) => value ?? [])]
  return certainly(words.some((word) => exactTexts(word).some((text) => OPEN_LINE.test(text))))
}
