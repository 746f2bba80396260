import { fileAt, putFile } from './expand/line-files.ts'
import { scriptFile, scriptsSet } from './expand/npm-scripts.ts'
import type { Shell } from './expand/state.ts'
import { copyFolder, leavesCopies } from './programs/files/placing.ts'
import type { Given } from './programs/program.ts'
import { exactText, exactWord, textPiece, type Word } from './words/words.ts'

export const FETCHES =
  /^(curl|wget|https?|xh|aria2c|nc|ncat|netcat|socat|telnet|ftp|sftp|ssh|lynx|w3m|gh|aws|gsutil)$/

type Writer = (args: readonly Word[], shell: Shell, input: Given) => void

export const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['git', byGit],
  ['sed', changedInPlace],
  ['perl', changedInPlace],
  ['npm', setScripts],
  ['pnpm', setScripts],
])

/** `git mv a b`, `git clone . copy`, `git worktree add copy` */
function byGit(args: readonly Word[], shell: Shell): void {
  if (shell.files.size === 0) return
  const verb = args.findIndex((word) => /^(?:mv|clone|worktree)$/.test(exactText(word) ?? ''))
  const rest = args.slice(verb + 1)
  const operands = rest.filter((word) => !(exactText(word) ?? '').startsWith('-'))
  const [first, second] = operands
  const does = verb < 0 ? '' : exactText(args[verb])
  if (does === 'mv') leavesCopies(rest, shell)
  if (first === undefined || second === undefined) return
  if (does === 'clone') copyFolder(first, second, shell)
  if (does === 'worktree' && exactText(first) === 'add') copyFolder(exactWord('.'), second, shell)
}

function setScripts(args: readonly Word[], shell: Shell): void {
  for (const { name, code } of scriptsSet(args))
    putFile(shell, scriptFile(name), { kind: 'text', forms: [[textPiece(code)]] })
}

/** `sed -i` leaves something else in a file of this line than what was written there. */
function changedInPlace(args: readonly Word[], shell: Shell): void {
  if (shell.files.size === 0 || !args.some((word) => /^-[a-zA-Z]*i/.test(exactText(word) ?? ''))) return
  for (const word of args) if (fileAt(word, shell) !== undefined) putFile(shell, word, { kind: 'unknown' })
}
