import { parse } from 'yaml'
import { isObject } from '../../core/json.ts'

/** What `config.yaml` says of plugins, by folder. Text that Goose cannot read says nothing. */
export function pluginSettings(text: string): Readonly<Record<string, unknown>> {
  try {
    const config: unknown = parse(text)
    return isObject(config) && isObject(config.plugins) ? config.plugins : {}
  } catch {
    return {}
  }
}
