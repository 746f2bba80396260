import type { ToolFile } from './event.ts'

/**
 * The files a patch in the format of `apply_patch` touches. It reads more than the tool would accept: a header with
 * blanks before it, without the opening line or after the end still names a file. A file too many is a question to
 * the person, a file too few is a way around.
 */
export function patchFiles(text: string): readonly ToolFile[] {
  const files: ToolFile[] = []
  // Only a newline ends a line here: a path may hold every other character that looks like one.
  for (const line of text.split('\n')) {
    const [, word = '', rest = ''] = HEADER.exec(trimmed(line)) ?? []
    const path = trimmed(rest)
    if (path === '') continue
    if (files.length >= PATCH_FILES_MAX) break
    const last = files.at(-1)
    if (word === 'Move to' && last?.change === 'update') {
      files[files.length - 1] = { ...last, change: 'delete' }
    }
    files.push({ path, change: CHANGES[word] ?? 'add' })
  }
  return files
}

/** A list this long may have left files out: whoever judges by it must not let such a patch pass. */
export const PATCH_FILES_MAX = 10_000

/** Is there the opening line of a patch? */
export function isPatch(text: string): boolean {
  return text.split('\n').some((line) => trimmed(line) === '*** Begin Patch')
}

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to):(.*)$/s
const CHANGES: Readonly<Record<string, ToolFile['change']>> = {
  'Update File': 'update',
  'Delete File': 'delete',
}

/** Without blanks as the tool itself sees them, which is one more than `trim` knows: U+0085. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && BLANK.test(text.charAt(start))) start += 1
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const BLANK = /[\s\u0085]/
