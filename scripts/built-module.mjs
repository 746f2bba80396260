import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A module of src/ as `tsc` has compiled it into build/, for plugins that must know what it exports. */
export function builtModule(source) {
  return import(pathToFileURL(join('build', relative('src', source).replace(/\.ts$/, '.js'))))
}
