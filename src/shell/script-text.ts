import type { FilePlace } from './line-files.ts'
import { textAt } from './line-files.ts'
import { exactText, exactWord, type Form, type Word } from './words.ts'

/** Programs that are told what to do by a language of their own, and the option that names a file of it. */
const READS =
  /^(?:psql|pgcli|vsql|usql|sqlcmd|cqlsh|snowsql|hive|beeline|spark-sql|impala-shell|trino|presto)$/
const OPTION = /^(?:-f|-i|--file)$/
const ATTACHED = /^(?:--file=|-f)(.+)$/s

/** `echo 'DROP TABLE x' > a.sql; psql -f a.sql`: a file of this line is as good as its text on standard input. */
export function scriptText(
  name: string | undefined,
  args: readonly Word[],
  place: FilePlace,
): readonly Form[] | undefined {
  if (place.files.size === 0 || name === undefined || !READS.test(name)) return undefined
  const words = args.flatMap((word, at) => {
    const attached = ATTACHED.exec(exactText(word) ?? '')?.[1]
    if (attached !== undefined) return [exactWord(attached)]
    return at > 0 && OPTION.test(exactText(args[at - 1]) ?? '') ? [word] : []
  })
  const texts = words.flatMap((word) => textAt(word, place) ?? [])
  return texts.length === 0 ? undefined : texts
}
