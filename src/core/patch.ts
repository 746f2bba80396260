import type { ToolFile } from './event.ts'

/**
 * The files that a patch in the format of `apply_patch` touches. It accepts more than the tool: a header with spaces
 * before it, without the opening line or after the end still names a file. One file too many causes a question to
 * the user; one file too few would be a way around the guards.
 */
export function patchFiles(text: string): readonly ToolFile[] {
  const files: ToolFile[] = []
  // Only a newline ends a line here: a path may contain all other characters that look like one.
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

/** The files that a diff, as `diff -u` and git write it, changes or removes. */
export function diffFiles(text: string): readonly string[] {
  const names = [...text.matchAll(/^[ \t]*(?:\+\+\+|---|rename to|rename from) (?:[ab]\/)?([^\t\r\n]+)/gm)]
  const paths = names.map(([, name = '']) => name.trim().replace(/^"(?:[ab]\/)?(.*)"$/, '$1'))
  return [...new Set(paths)].filter((path) => path !== '' && path !== '/dev/null').slice(0, PATCH_FILES_MAX)
}

/** A list of this length may be incomplete: such a patch must not pass. */
export const PATCH_FILES_MAX = 10_000

/** Whether the text has the opening line of a patch. */
export function isPatch(text: string): boolean {
  return text.split('\n').some((line) => trimmed(line) === PATCH_START)
}

export const PATCH_START = '*** Begin Patch'

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to):(.*)$/s
const CHANGES: Readonly<Record<string, ToolFile['change']>> = {
  'Update File': 'update',
  'Delete File': 'delete',
}

/** Trims spaces as the tool itself does, which includes U+0085; `trim` does not. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && BLANK.test(text.charAt(start))) start += 1
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const BLANK = /[\s\u0085]/
