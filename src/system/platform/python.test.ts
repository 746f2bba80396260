import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { PYTHON_PLATFORM } from './python.ts'

/** The functions in a Python with two open pipes and one more thread, if asked. */
function ask(platform: string, isThreaded: boolean): string {
  const program = `
import os, subprocess, sys, threading
sys.platform = ${JSON.stringify(platform)}
${PYTHON_PLATFORM}
stop = threading.Event()
if ${isThreaded ? 'True' : 'False'}:
    threading.Thread(target=stop.wait).start()
ends = os.pipe()
print(thread_count(), set(ends) <= set(open_files()))
stop.set()
`
  return execFileSync('python3', ['-c', program], { encoding: 'utf8' }).trim()
}

it.skipIf(process.platform === 'win32').each([
  [process.platform, false, '1 True'],
  [process.platform, true, '2 True'],
  // `ps` of Linux prints a line for the process, as that of a Mac does for its only thread.
  ['darwin', false, '1 True'],
])('on %s, Python counts its threads and finds its files: %s', (platform, isThreaded, expected) => {
  expect(ask(platform, isThreaded)).toBe(expected)
})
