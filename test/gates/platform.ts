/**
 * One folder knows how the system is asked about processes, descriptors and sockets. Elsewhere a file of Linux would be
 * read that a Mac does not have, and nobody would notice.
 */
const KNOWS = 'src/system/platform/'

/** Files that name such a path and open none, or that have a way of their own for each system; with the reason. */
export const NAMING: ReadonlyMap<string, string> = new Map([
  ['src/system/regular-file.ts', 'refuses to open such a file'],
  ['src/system/started-files.ts', 'a word of a command, which is not opened'],
  ['native/holdpoint-hook.c', 'its own path, on Linux only; a Mac has a function for it'],
  ['python/src/holdpoint/_daemon.py', 'the socket in an open folder, on Linux only'],
])

/** What commands of agents name is text for these. */
const READS_COMMANDS = /^src\/(?:policy|shell)\//

/** The files with code, apart from tests, that name a path below /proc and may not. */
export function checkPlatform(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files]
    .filter(([path, text]) => namesProc(text) && !path.startsWith(KNOWS) && !READS_COMMANDS.test(path))
    .map(([path]) => path)
    .filter((path) => !NAMING.has(path))
}

/** In code: a comment may say what a system has. */
export function namesProc(text: string): boolean {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|#)/.test(line))
    .some((line) => /['"`(|]\^?\\?\/proc\b|\(\?:proc\b/.test(line))
}
