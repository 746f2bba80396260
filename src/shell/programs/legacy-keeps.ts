import type { SimpleCommand } from '../vocabulary/command.ts'
import { exactText, exactWord, type Word } from '../words/words.ts'

export const SUFFIX: Readonly<Record<string, string>> = {
  gzip: '.gz',
  pigz: '.gz',
  bzip2: '.bz2',
  pbzip2: '.bz2',
  xz: '.xz',
  zstd: '.zst',
  lz4: '.lz4',
  lzma: '.lzma',
  compress: '.Z',
  gpg: '.gpg',
  gpg2: '.gpg',
}
export function archiveOf({ name, args }: SimpleCommand): Word | undefined {
  const operands = args.filter((word) => !word.source.startsWith('-'))
  if (name === 'zip') return operands[0]
  if (name !== 'tar' && name !== 'bsdtar' && name !== 'gtar') return operands[1]
  const long = args
    .map((word) => /^--file=(.*)$/s.exec(exactText(word) ?? '')?.[1])
    .find((file) => file !== undefined)
  if (long !== undefined) return exactWord(long)
  const at = args.findIndex((word, index) => {
    const text = exactText(word) ?? ''
    return (
      text === '--file' || /^-[a-zA-Z]*f$/.test(text) || (index === 0 && /^[a-zA-Z]*f[a-zA-Z]*$/.test(text))
    )
  })
  return at < 0 ? undefined : args[at + 1]
}
