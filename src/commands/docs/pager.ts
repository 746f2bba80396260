import { spawn } from 'node:child_process'
import type { Caller } from '../caller.ts'

interface Pager {
  readonly program: string
  readonly args: readonly string[]
  /** `$PAGER` is a command line for a shell, as `git` and `man` read it. */
  readonly shell: boolean
}

/** Prints the text. Uses a pager if this is a terminal and the text is longer than the screen. */
export async function show(caller: Caller, text: string): Promise<void> {
  const pager = pagerFor(caller, text)
  if (pager === undefined || !(await page(caller, text, pager))) caller.stdout.write(text)
}

function pagerFor(caller: Caller, text: string): Pager | undefined {
  const { isTTY, rows = 0 } = caller.stdout
  const isLong = rows > 0 && text.split('\n').length > rows
  if (!isTTY || !caller.stdin.isTTY || !isLong || caller.env.TERM === 'dumb') return undefined
  const chosen = caller.env.PAGER?.trim()
  if (chosen === undefined) return { program: 'less', args: ['-R'], shell: false }
  return chosen === '' || chosen === 'cat' ? undefined : { program: chosen, args: [], shell: true }
}

/** Exit codes of a shell that could not start the program. */
const NOT_STARTED = new Set([126, 127])

/** Whether the pager showed the text. */
function page(caller: Caller, text: string, { program, args, shell }: Pager): Promise<boolean> {
  // `less` shows colours only with R. It only shows a page, so it may not start a shell or an editor.
  const env = { LESS: 'R', ...caller.env, LESSSECURE: '1' }
  // Ctrl-C is for the pager.
  const undo = caller.onSignals(['SIGINT'], () => {})
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, shell, cwd: caller.cwd, stdio: ['pipe', 'inherit', 'inherit'] })
    const end = (shown: boolean) => {
      undo()
      resolve(shown)
    }
    child.on('error', () => end(false))
    child.on('close', (code) => end(code === null || !NOT_STARTED.has(code)))
    // Leaving the pager before the end closes the pipe; that is not an error.
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}
