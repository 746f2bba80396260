import { optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, type Word } from '../../words/words.ts'
import { LOADS_CODE } from '../code-loading/acts.ts'
import type { ModelCall } from '../model.ts'

const letters = (text: string, mark: string): readonly string[] =>
  [...text].map((letter) => `${letter}${mark}`)
const KEYGEN = optionTable(
  ...letters('abCDEFfIiJjKMmNnOoPRrSsTtVWwYZz', '='),
  ...letters('AcBeghHklLpqQuUvxXy', ''),
)
const ADD = optionTable(...letters('EeHhSstT', '='), ...letters('cCDdkKLlqvXx', ''))
/** Where systems keep the libraries of smart cards. */
const INSTALLED = /^(?:\/(?:usr|lib|lib64|opt|Library|nix)\/|[\w.-]+$)/

/** `ssh-keygen -D library`, `ssh-add -s library`: the keys of a smart card, by way of its library. */
export function cardEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const given =
    name === 'ssh-keygen'
      ? valuesOf(readOptions(command.args, KEYGEN), 'D', 'w')
      : valuesOf(readOptions(command.args, ADD), 's', 'S')
  return given.some((word) => !isInstalled(word)) ? [LOADS_CODE] : []
}

const NMAP = optionTable('script= script-args= script-args-file= interactive datadir= servicedb=')

/** Scripts of its own have plain names; `--interactive` of old versions opens a shell. */
export function nmapEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(
    // `-oN file` and its like are no bundles.
    command.args.filter((word) => /^--/.test(word.source) || !word.source.startsWith('-')),
    NMAP,
  )
  const opens = read.options.some((option) => option.name === 'interactive')
  const scripts = valuesOf(read, 'script', 'datadir').some((word) => /[/~]/.test(exactText(word) ?? '/'))
  return opens || scripts ? [LOADS_CODE] : []
}

function isInstalled(word: Word): boolean {
  return INSTALLED.test(exactText(word) ?? '/?')
}
