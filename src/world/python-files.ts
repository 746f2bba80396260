import { resolve } from 'node:path'

/**
 * Wherever the module of `package.module.function` may lie below the root, with the packages on the way to it; also
 * where nothing lies now, because a file that appears there would be found first. What the module imports is not
 * followed.
 */
export function pythonFiles(callable: string, root: string): readonly string[] {
  const steps = callable.split('.').slice(0, -1)
  return steps.flatMap((_step, index) => {
    const path = resolve(root, ...steps.slice(0, index + 1))
    return [`${path}.py`, `${path}/__init__.py`]
  })
}
