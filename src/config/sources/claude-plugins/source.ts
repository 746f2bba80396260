import { good, type Problem, type Result } from '../../../core/errors.ts'
import type { HandlerSpec } from '../../../core/hook.ts'
import type { Layer } from '../../../core/layer.ts'
import { readClaudeHooks } from '../claude-hooks.ts'
import { readClaudeJson } from '../claude-json.ts'
import { readingOf } from '../claude-reading.ts'
import { matcherReader } from '../matcher.ts'
import type { Source, SourceFile } from '../source.ts'
import { finds } from './finds.ts'

/** The hooks of Claude Code's plugins: `hooks/hooks.json`, or `hooks` in the manifest. */
export const source: Source = { id: 'claude-plugins', parse, finds }

function parse(text: string, file: SourceFile): Result<Layer> {
  const document = readClaudeJson(text, file.path)
  if (!document.ok) return document
  const { json, place, notes } = document.value
  const problems: Problem[] = []
  const { root } = file
  const startOf = (run: HandlerSpec) => inPlugin(run, root)
  const reading = readingOf({ place, readMatcher: matcherReader(), problems, scope: {}, root, startOf })
  const { hooks } = json
  return good({
    rank: file.rank,
    file: file.path,
    trusted: file.trusted,
    packs: [],
    hooks: readClaudeHooks(hooks, reading),
    settings: {},
    problems: [...notes, ...problems],
  })
}

/**
 * Claude Code puts the plugin's folder both into the command text and into its environment. A folder name with shell
 * syntax goes only into the environment, where no shell interprets it.
 */
function inPlugin(run: HandlerSpec, folder: string): HandlerSpec {
  const { command } = run
  if (typeof command !== 'string') return run
  if (Array.isArray(run.args)) {
    const args = [command, ...run.args.map(String)].map((word) => word.replaceAll(ROOT, () => folder))
    return { ...run, command: 'env', args: [`CLAUDE_PLUGIN_ROOT=${folder}`, ...args] }
  }
  const text = /^[\w./@+-]*$/.test(folder) ? command.replaceAll(ROOT, () => folder) : command
  return { ...run, command: `export CLAUDE_PLUGIN_ROOT=${quoted(folder)}; ${text}` }
}

const ROOT = /\$\{CLAUDE_PLUGIN_ROOT\}/g

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
