import type { InstructionCommand } from './instructions.ts'

/**
 * `@path` in a file of instructions: the agent program puts the text of that file in front of its model, without a call
 * of a tool. It is judged as what it is, the reading of that file.
 */
export function importsOfText(text: string, path: string): readonly InstructionCommand[] {
  if (!text.includes('@')) return []
  const folder = path.slice(0, path.lastIndexOf('/'))
  const named = [...withoutCode(text).matchAll(IMPORT)].map(([, name = '']) => name.replace(/\\ /g, ' '))
  const paths = [...new Set(named.map(withoutEnd))]
    .filter((name) => name !== '')
    .map((name) => quoted(placed(name, folder)))
  const reads = Array.from({ length: Math.ceil(paths.length / TOGETHER) }, (_, at) =>
    paths.slice(at * TOGETHER, (at + 1) * TOGETHER).join(' '),
  )
  return reads.map((files) => ({ command: `cat ${files}`, shell: 'Bash' }))
}

/** Many at once: names of people and packages begin with the same sign, and a page may have hundreds. */
const TOGETHER = 50

/** As Claude Code 2.1.325 finds them: after a space or at the start of a line. Gemini CLI also knows `@{path}`. */
const IMPORT = /(?<=^|\s)@\{?((?:[^\s\\{}]|\\ )+)/gm

/** Code is shown, not imported. What is not closed on its line, or by a line, is no code. */
function withoutCode(text: string): string {
  return text.replace(/^(```+|~~~+)[^\n`]*\n[\s\S]*?^\1[ \t]*$/gm, '').replace(/(`+)[^`\n]+\1(?!`)/g, '')
}

/** A sentence may end behind the path, and `#part` names a part of the file. */
function withoutEnd(name: string): string {
  return name.replace(/#.*$/, '').replace(/[.,;:!?)\]'"]+$/, '')
}

function placed(name: string, folder: string): string {
  return /^(?:~?\/|~$)/.test(name) ? name : `${folder}/${name}`
}

/** `~/` is left for the shell to read. */
function quoted(path: string): string {
  const [home, rest] = path.startsWith('~/') ? ['~/', path.slice(2)] : ['', path]
  return `${home}'${rest.replaceAll("'", `'\\''`)}'`
}
