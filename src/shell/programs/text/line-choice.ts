import { exactText, type Word } from '../../words/words.ts'
import type { LineFilter } from '../aspects/output.ts'

/** Names of a listing come out as they are, with options and counts alone. */
export const byCount: NonNullable<LineFilter['ofListing']> = (args) =>
  args.every((each) => /^-|^\d+[dpq]?$/.test(each ?? '?')) ? {} : undefined

export const anyLines: LineFilter = { ofListing: byCount, ofFile: () => true }

export const plainText = (word: Word | undefined): string => exactText(word) ?? ''
