/** What a mode of `chmod` means for others than the owner. */
export interface ModeMeaning {
  /** Everybody may write. */
  readonly opens: boolean
  /** Everybody may do everything. */
  readonly opensAll: boolean
  /** Not even the owner may read it or run it any more. */
  readonly closes: boolean
  /** Others than the owner may read. */
  readonly shows: boolean
  /** Whoever starts the program is its owner while it runs. */
  readonly setsUser: boolean
  /** It only adds rights for the owner or takes them from others. */
  readonly gentle: boolean
}

const NOTHING: ModeMeaning = {
  opens: false,
  opensAll: false,
  closes: false,
  shows: false,
  setsUser: false,
  gentle: false,
}

/** Undefined when the text is no mode. */
export function readMode(text: string): ModeMeaning | undefined {
  if (/^[-+=]?[0-7]{1,5}$/.test(text)) return numericMode(text)
  const clauses = text.split(',')
  if (clauses.length > 16 || !clauses.every((clause) => CLAUSE.test(clause))) return undefined
  const meanings = clauses.flatMap(clauseMeanings)
  return {
    opens: meanings.some((each) => each.opens),
    opensAll: meanings.some((each) => each.opensAll),
    closes: meanings.some((each) => each.closes),
    shows: meanings.some((each) => each.shows),
    setsUser: meanings.some((each) => each.setsUser),
    gentle: meanings.length > 0 && meanings.every((each) => each.gentle),
  }
}

function numericMode(text: string): ModeMeaning {
  const bits = Number.parseInt(text.replace(/^[-+=]/, ''), 8)
  if (text.startsWith('-')) return { ...NOTHING, closes: (bits & 0o700) === 0o700 }
  return {
    opens: (bits & 0o2) !== 0,
    // In a folder with the sticky bit nobody touches the files of others.
    opensAll: (bits & 0o1007) === 0o7,
    closes: !text.startsWith('+') && (bits & 0o777) === 0,
    shows: (bits & 0o44) !== 0,
    setsUser: (bits & 0o4000) !== 0,
    gentle: !text.startsWith('+') && (bits & 0o7077) === 0 && (bits & 0o400) !== 0,
  }
}

const CLAUSE = /^[ugoa]*[-+=][-+=rwxXstugo]*$/

function clauseMeanings(clause: string): readonly ModeMeaning[] {
  const who = /^[ugoa]*/.exec(clause)?.[0] ?? ''
  return [...clause.matchAll(/([-+=])([rwxXstugo]*)/g)].map(([, operator = '', rights = '']) => {
    const others = /[oa]/.test(who)
    const owner = who === '' || /[ua]/.test(who)
    const gives = operator !== '-'
    return {
      opens: others && gives && rights.includes('w'),
      opensAll: others && gives && /w/.test(rights) && /r/.test(rights) && /[xX]/.test(rights),
      closes: owner && (operator === '-' ? /[rx]/.test(rights) : operator === '=' && rights === ''),
      shows: /[goa]/.test(who) && gives && rights.includes('r'),
      setsUser: owner && gives && rights.includes('s'),
      gentle: isGentle(who, operator, rights),
    }
  })
}

function isGentle(who: string, operator: string, rights: string): boolean {
  if (/^[go]+$/.test(who)) return operator === '-' || rights === ''
  return (
    /^u+$/.test(who) &&
    !rights.includes('s') &&
    (operator === '+' || (operator === '=' && rights.includes('r')))
  )
}
