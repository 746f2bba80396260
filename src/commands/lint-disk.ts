import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { printable } from '../config/sources/problems.ts'
import { isPlainFile, readRegularText, staysInside } from '../system/regular-file.ts'
import type { DiskFacts } from '../tools/lint/check.ts'

const SCRIPT_MAX_BYTES = 256 * 1024

/** What the checks ask about scripts: whether they exist, their text, and whether they can be parsed. */
export function diskFacts(project: string, home: string): DiskFacts {
  return {
    project,
    home,
    syntaxError: (path) => syntaxError(path, project),
    script(path) {
      try {
        const info = statSync(path, { throwIfNoEntry: false })
        if (info?.isFile() !== true) return undefined
        const text = readRegularText(path, SCRIPT_MAX_BYTES) ?? ''
        return { text, isExecutable: (info.mode & 0o111) !== 0 }
      } catch {
        // Another format: there is nothing to check.
        return { text: '', isExecutable: true }
      }
    },
  }
}

/**
 * Node reads the file and does not run it. Files that this Node cannot read as they are count as good. Node's message
 * quotes the file, so it is shown only for a file of the project.
 */
function syntaxError(path: string, project: string): string | undefined {
  if (!/\.[cm]?js$/.test(path) || readRegularText(path, SCRIPT_MAX_BYTES) === undefined) return undefined
  const checked = spawnSync(process.execPath, ['--check', path], {
    encoding: 'utf8',
    timeout: SYNTAX_TIMEOUT_MS,
    env: {},
  })
  if (checked.status !== 1) return undefined
  const { stderr } = checked
  const line = /^\S*?:(\d+)\n/.exec(stderr)?.[1]
  const isShown = staysInside(path, project) && isPlainFile(path)
  const error = (isShown ? /^\w*Error: .*$/m.exec(stderr)?.[0] : undefined) ?? 'it has a syntax error'
  return printable(line === undefined ? error : `line ${line}: ${error}`)
}

const SYNTAX_TIMEOUT_MS = 10_000
