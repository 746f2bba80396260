import { dirname, resolve } from 'node:path'
import { isFolder } from './file-kind.ts'

/**
 * The files that a Python script imports from its own folders, also missing ones, because they would be found first.
 * `base` is the folder in which names start, `folder` that of the script.
 */
export function pythonImports(
  text: string,
  { folder, base: start, root }: { readonly folder: string; readonly base: string; readonly root: string },
): { readonly files: readonly string[]; readonly isClear: boolean } {
  // A script that changes where modules are found usually adds its own folder, the parent, or the project.
  const bases = /\bsys\.path\b/.test(text) ? [start, folder, dirname(folder), root] : [start]
  const files = new Set<string>()
  const add = (base: string, name: string) => {
    const steps = name.split('.').filter((step) => step !== '')
    for (const index of steps.keys()) {
      const path = resolve(base, ...steps.slice(0, index + 1))
      files.add(`${path}.py`)
      files.add(`${path}/__init__.py`)
    }
  }
  for (const { 1: names = '' } of text.matchAll(IMPORT)) {
    for (const name of names.split(',').map((each) => each.trim().split(/\s/)[0] ?? ''))
      for (const base of bases) add(base, name)
  }
  for (const { 1: dots = '', 2: name = '', 3: names = '' } of text.matchAll(FROM)) {
    const starts = dots === '' ? bases : [resolve(folder, ...Array(dots.length - 1).fill('..'))]
    for (const base of starts) {
      if (name !== '') add(base, name)
      const inside = resolve(base, ...name.split('.'))
      // An imported name may be a module of the package.
      if (isFolder(inside)) for (const each of names.match(/\w+/g) ?? []) if (each !== 'as') add(inside, each)
    }
  }
  for (const { 1: name = '' } of text.matchAll(CALLED)) for (const base of bases) add(base, name)
  return { files: [...files], isClear: !COMPUTED.test(text) }
}

const IMPORT = /^[^\S\n]*import[^\S\n]+([\w.][^\n#;]{0,400})/gm
const FROM = /^[^\S\n]*from[^\S\n]+(\.*)([\w.]*)[^\S\n]+import[^\S\n]+(\([^)]{0,2000}\)|[^\n#;]{1,400})/gm
const CALLED = /\b(?:import_module|__import__)\(\s*['"]([\w.]+)['"]/g
/** A module whose name exists only when the code runs. */
const COMPUTED = /\b(?:import_module|__import__)\((?!\s*['"][\w.]+['"]\s*[,)])/
