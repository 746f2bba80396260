import type { Caller } from './caller.ts'
import { BASH } from './completion/bash.ts'
import { FISH } from './completion/fish.ts'
import type { CompletionShell } from './completion/shells.ts'
import { ZSH } from './completion/zsh.ts'

const SCRIPTS: Readonly<Record<CompletionShell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }

/** Prints the script that makes a shell call `holdpoint complete` when you press Tab. */
export function completion(caller: Caller, shell: CompletionShell): void {
  caller.stdout.write(SCRIPTS[shell])
}
