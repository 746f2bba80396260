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
export const READS_COMMANDS = /^src\/(?:policy|shell)\//

/** The files with code, apart from tests, that name a path below /proc and may not. */
export function checkPlatform(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files]
    .filter(([path, text]) => namesProc(text) && !path.startsWith(KNOWS) && !READS_COMMANDS.test(path))
    .map(([path]) => path)
    .filter((path) => !NAMING.has(path))
}

/** Tests that name such a path and need no Linux for it; with the reason. */
export const NAMED_IN_TESTS: ReadonlyMap<string, string> = new Map([
  ['src/config/read-layer.test.ts', 'a link to it is refused, whether it is there or not'],
  ['src/system/regular-file.test.ts', 'a link to it is refused, whether it is there or not'],
  ['src/system/trust.test.ts', 'words of a command, and a link that is refused'],
  ['test/gates/platform.test.ts', 'texts for this gate'],
  ['test/native/pack.test.ts', 'no program for a Mac contains it'],
  ['test/processes.ts', 'the tests that use it are marked'],
  ['test/faults/installation.ts', 'the tests that use it are marked'],
  ['test/long/package-init.test.ts', 'a folder that nobody can make'],
  ['test/hosts/agent-setup.ts', 'it looks first whether it is there'],
  ['test/growth/counting-process.ts', 'the long suite, which runs on Linux'],
])

/** Tests that read files of Linux and do not say so: on a Mac they would fail, or always hold. */
export function checkTests(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files]
    .filter(([path, text]) => namesProc(text) && !/\bisLinux\b/.test(text) && !NAMED_IN_TESTS.has(path))
    .map(([path]) => path)
}

/** In code: a comment may say what a system has. */
export function namesProc(text: string): boolean {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|#)/.test(line))
    .some((line) => /['"`(|]\^?\\?\/proc\b|\(\?:proc\b/.test(line))
}
