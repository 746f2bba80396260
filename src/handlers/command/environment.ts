import { type JsonObject, textAt } from '../../core/json.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The usual variables that a program needs, and only those of the caller's other variables that the hook names. */
export function onlyNamed(env: Environment, named: readonly string[]): Environment {
  const names = Object.keys(env).filter((name) => COMMON.test(name) || named.includes(name))
  return Object.fromEntries(names.map((name) => [name, env[name]]))
}

const COMMON =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|TMPDIR|HOSTNAME|VIRTUAL_ENV|PYENV_ROOT|PYENV_VERSION|SSL_CERT_(?:FILE|DIR)|XDG_[A-Z_]+)$/

/**
 * The plain fields of a MassGen event, for scripts that do not read JSON. All are set, so that none comes from the
 * caller. NUL and very long values are cut, because no program could be started with them.
 */
export function massgenVariables(event: JsonObject): Readonly<Record<string, string>> {
  const fields = ['hook_type', 'session_id', 'orchestrator_id', 'agent_id', 'tool_name']
  return Object.fromEntries(
    fields.map((field) => {
      const text = textAt(event, field)?.replaceAll('\0', '') ?? ''
      return [`MASSGEN_${field.toUpperCase()}`, text.slice(0, VARIABLE_MAX_CHARACTERS)]
    }),
  )
}

const VARIABLE_MAX_CHARACTERS = 4_096
