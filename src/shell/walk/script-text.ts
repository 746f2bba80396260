import type { FilePlace } from '../expand/line-files.ts'
import { knownTextAt } from '../expand/line-files.ts'
import { exactText, exactWord, type Form, type Word } from '../words/words.ts'

/** Programs that are told what to do by a language of their own, and the option that names a file of it. */
const READS =
  /^(?:psql|pgcli|vsql|usql|sqlcmd|cqlsh|snowsql|hive|beeline|spark-sql|impala-shell|trino|presto)$/
const OPTION = /^(?:-f|-i|--file)$/
const ATTACHED = /^(?:--file=|-f)(.+)$/s

/** Clients whose options of these letters mean something else. */
const NAMES_FILES = /^(?:mysql|mariadb|sqlite3|duckdb|mongosh|mongo|clickhouse-client|clickhouse)$/

/** `\\i x.sql`, `.read x.sql`, `source x.sql`: a file that the client is told to read. */
const INCLUDES = /(?:\\ir?|\\\.|\.read|(?:^|;)\s*source)\s+["']?([^\s"';]+)/gi

/** `echo 'DROP TABLE x' > a.sql; psql -f a.sql`: a file of this line is as good as its text on standard input. */
export function scriptText(
  name: string | undefined,
  args: readonly Word[],
  place: FilePlace,
): readonly Form[] | undefined {
  if (place.files.size === 0 || name === undefined) return undefined
  if (isPatch(name, args)) return patchText(args, place)
  if (!READS.test(name) && !NAMES_FILES.test(name)) return undefined
  const words = args.flatMap((word, at) => {
    const text = exactText(word) ?? ''
    const included = [...text.matchAll(INCLUDES)].map(([, file = '']) => exactWord(file))
    if (included.length > 0) return included
    if (NAMES_FILES.test(name))
      return /\.(?:js|sql|cql)$/.test(text) || /^--?init$/.test(exactText(args[at - 1]) ?? '') ? [word] : []
    const attached = ATTACHED.exec(exactText(word) ?? '')?.[1]
    if (attached !== undefined) return [exactWord(attached)]
    return at > 0 && OPTION.test(exactText(args[at - 1]) ?? '') ? [word] : []
  })
  const texts = words.flatMap((word) => knownTextAt(word, place) ?? [])
  return texts.length === 0 ? undefined : texts
}

/** `git apply x.patch`, `patch -i x.patch`: what the file says is what is changed. */
function isPatch(name: string, args: readonly Word[]): boolean {
  return name === 'patch' || (name === 'git' && args.some((word) => /^(?:apply|am)$/.test(word.source)))
}

function patchText(args: readonly Word[], place: FilePlace): readonly Form[] | undefined {
  const named = args.map((word) => {
    const attached = /^(?:-i|--input=)(.+)$/s.exec(exactText(word) ?? '')?.[1]
    return attached === undefined ? word : exactWord(attached)
  })
  const texts = named.flatMap((word) => knownTextAt(word, place) ?? [])
  return texts.length === 0 ? undefined : texts
}
