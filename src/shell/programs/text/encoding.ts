import { decodeBase32, decodeBase64, decodeHex } from '../../words/decode.ts'
import type { Filter } from '../aspects/output.ts'
import type { ProgramTable } from '../program.ts'

function decoding(pattern: RegExp, change: NonNullable<Filter['change']>): Filter {
  return { options: (args) => args.length > 0 && args.every((arg) => pattern.test(arg ?? '?')), change }
}

const BASE64 = decoding(/^(-[dDi]+|--decode|--ignore-garbage|-w0?|0)$/, decodeBase64)
const decodes = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:-[a-zA-Z]*[dD]|--decode)/.test(word))
const read = { operands: 'read' } as const

/** Programs that write text in another alphabet, and back. */
export const ENCODING: ProgramTable = {
  base64: { files: read, filters: BASE64, passesOn: true, decodes },
  gbase64: { files: read, filters: BASE64 },
  base32: {
    files: read,
    filters: decoding(/^(-[di]+|--decode|--ignore-garbage)$/, decodeBase32),
    passesOn: true,
    decodes,
  },
  basenc: { files: read, decodes },
  xxd: {
    files: read,
    filters: {
      options: (args) =>
        /r/.test(args.join('')) && args.every((arg) => /^-(r|p|ps|rp|pr|plain|revert)$/.test(arg ?? '')),
      change: decodeHex,
    },
    passesOn: true,
    decodes: (words) => words.some((word) => /^-[a-z]*r/.test(word)),
  },
  uudecode: { files: read, decodes: () => true },
}
