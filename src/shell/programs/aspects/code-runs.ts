import { codeRun, type Launch, type StartedCommand } from '../../vocabulary/launch.ts'
import { textPiece } from '../../words/words.ts'

/** What is started, if anything is. */
export function launch(own: number, runs: readonly StartedCommand[]): Launch | undefined {
  return runs.length === 0 ? undefined : { own, runs }
}

export function shellRun(via: string, code: string): StartedCommand {
  return codeRun(via, [[textPiece(code)]], { shell: 'child' })
}

const RUNS_MAX = 16

/** The code that a pattern finds in each of the texts. */
export function lineRuns(
  name: string,
  own: number,
  texts: readonly string[],
  pattern: RegExp,
): Launch | undefined {
  const codes = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, code = '']) => code))
  return launch(
    own,
    codes.slice(0, RUNS_MAX).map((code) => shellRun(`${name} !`, code)),
  )
}

/** A file name for a shell, with its quotes taken away. */
export function shellQuoted(file: string): string {
  return file.replace(/^["']|["']$/g, '').replace(/[^\w./~$-]/g, '\\$&')
}
