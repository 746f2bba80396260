import { RE2JS } from 're2js'

/**
 * A regex of the linear engine. Throws what the engine says of one that it cannot run. A file of its own, because the
 * engine is large and most configurations have no regex: the build loads it when this is first called.
 */
export function compileLinear(source: string): RE2JS {
  return RE2JS.compile(source)
}
