import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the examples. Each has a page, which says how it is started and what it prints. */
export const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')

export function pageOf(name: string): string {
  return readFileSync(join(EXAMPLES, name, 'README.md'), 'utf8')
}

/** The program of an example for Node, as its page starts it. */
export function programOf(name: string): string | undefined {
  const [, file] = new RegExp(`node examples/${name}/(\\S+)`).exec(pageOf(name)) ?? []
  return file === undefined ? undefined : join(EXAMPLES, name, file)
}

/** What the page of an example says it prints. */
export function shownOn(name: string): string | undefined {
  return /```text\n([\s\S]*?)```/.exec(pageOf(name))?.[1]
}

/** What programs print, each with the modules that another one has loaded. */
export function playInTurn(files: readonly string[], cwd = EXAMPLES): Readonly<Record<string, string>> {
  const runner = join(import.meta.dirname, 'play-in-turn.mjs')
  return JSON.parse(execFileSync(process.execPath, [runner, ...files], { cwd, encoding: 'utf8' }))
}

/** What a program prints in a process of its own. */
export function playAlone(file: string, cwd = EXAMPLES): string {
  return execFileSync(process.execPath, [file], { cwd, encoding: 'utf8' })
}
