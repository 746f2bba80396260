import { keyPath, locate } from '../../config/sources/locate.ts'
import { parseYaml } from '../../config/sources/parse-yaml.ts'
import { frontmatterOf } from '../../config/sources/split-front-matter.ts'
import { toJson } from '../../config/sources/to-json.ts'
import { isObject } from '../../core/json.ts'
import type { DiskFacts, LintFinding } from './check.ts'
import { claudeFileOf } from './claude-file.ts'
import { lintFile } from './lint.ts'

/** Rules that are about settings files: a skill may have `once`, and its commands may start in its own folder. */
const ONLY_SETTINGS: ReadonlySet<string> = new Set(['once-ignored', 'relative-script', 'skill-hook'])

/** The checks of Claude's settings over the hooks in the front matter of a skill or an agent. */
export function lintFrontMatter(path: string, text: string, look: DiskFacts): readonly LintFinding[] {
  const head = frontmatterOf(text)
  const document = head?.isClosed === true ? parseYaml(head.yaml) : undefined
  const yaml = document?.ok === true ? toJson(document.value) : undefined
  // What cannot be read is reported by the reader.
  if (yaml?.ok !== true || !isObject(yaml.value.json)) return []
  const place = (at: readonly (string | number)[]) => ({
    file: path,
    ...locate(yaml.value, at),
    key: keyPath(at),
  })
  const folder = path.slice(0, path.lastIndexOf('/'))
  const file = claudeFileOf({ path, text, root: undefined, json: yaml.value.json, place }, (command) =>
    command.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g, () => folder),
  )
  const near: DiskFacts = {
    ...look,
    script: (script) =>
      look.script(script) ??
      (script.startsWith(`${look.project}/`)
        ? look.script(`${folder}${script.slice(look.project.length)}`)
        : undefined),
  }
  return lintFile(file, [file], near).filter(({ rule }) => !ONLY_SETTINGS.has(rule))
}
