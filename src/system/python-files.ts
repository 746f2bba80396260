import { resolve } from 'node:path'

/**
 * All files in which the module of `package.module.function` may be below the root, with its parent packages. Missing
 * files count too, because a file that appears there would be found first. Imports of the module are not followed.
 */
export function pythonFiles(callable: string, root: string): readonly string[] {
  const steps = callable.split('.').slice(0, -1)
  return steps.flatMap((_step, index) => {
    const path = resolve(root, ...steps.slice(0, index + 1))
    return [`${path}.py`, `${path}/__init__.py`]
  })
}
