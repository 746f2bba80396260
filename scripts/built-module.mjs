// Modules of src/ as the build has made them, with their types: a name that src/ no longer has is an error of
// `npm run types`, not of the script that is started months later.
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '..')

/**
 * @typedef {{
 *   'src/app/check-plan.ts': typeof import('../src/app/check-plan.ts')
 *   'src/app/responder.ts': typeof import('../src/app/responder.ts')
 *   'src/core/engine/evaluate.ts': typeof import('../src/core/engine/evaluate.ts')
 *   'src/daemon/client.ts': typeof import('../src/daemon/client.ts')
 *   'src/daemon/http-settings.ts': typeof import('../src/daemon/http-settings.ts')
 *   'src/daemon/launch.ts': typeof import('../src/daemon/launch.ts')
 *   'src/daemon/protocol.ts': typeof import('../src/daemon/protocol.ts')
 *   'src/library/testing/events.ts': typeof import('../src/library/testing/events.ts')
 *   'src/library/testing/hooks.ts': typeof import('../src/library/testing/hooks.ts')
 *   'src/policy/analysis/topics.ts': typeof import('../src/policy/analysis/topics.ts')
 *   'src/policy/packs/index.ts': typeof import('../src/policy/packs/index.ts')
 *   'src/shell/programs/index.ts': typeof import('../src/shell/programs/index.ts')
 *   'src/shell/walk/read-commands.ts': typeof import('../src/shell/walk/read-commands.ts')
 *   'src/storage/journal/ingest.ts': typeof import('../src/storage/journal/ingest.ts')
 *   'src/storage/journal/spool.ts': typeof import('../src/storage/journal/spool.ts')
 *   'src/storage/journal/sqlite/store.ts': typeof import('../src/storage/journal/sqlite/store.ts')
 *   'src/storage/state/memory-state.ts': typeof import('../src/storage/state/memory-state.ts')
 *   'src/system/home.ts': typeof import('../src/system/home.ts')
 *   'src/tools/agent-plugin.ts': typeof import('../src/tools/agent-plugin.ts')
 *   'src/tools/generated.ts': typeof import('../src/tools/generated.ts')
 *   'src/tools/history/find-transcripts.ts': typeof import('../src/tools/history/find-transcripts.ts')
 *   'src/tools/history/readers.ts': typeof import('../src/tools/history/readers.ts')
 *   'src/tools/plugin-packages.ts': typeof import('../src/tools/plugin-packages.ts')
 *   'src/tools/replay/policy-alone.ts': typeof import('../src/tools/replay/policy-alone.ts')
 *   'src/tools/replay/replay.ts': typeof import('../src/tools/replay/replay.ts')
 *   'src/tools/scan/scan.ts': typeof import('../src/tools/scan/scan.ts')
 * }} BuiltModules
 *
 * @typedef {{
 *   'lib/ai.js': typeof import('../src/adapters/ai/index.ts')
 *   'lib/claude-agent.js': typeof import('../src/adapters/claude-agent/index.ts')
 *   'lib/client.js': typeof import('../src/adapters/client/client.ts')
 *   'lib/index.js': typeof import('../src/index.ts')
 *   'lib/massgen.js': typeof import('../src/adapters/massgen/index.ts')
 *   'lib/openai-agents.js': typeof import('../src/adapters/openai-agents/index.ts')
 *   'plugins.mjs': typeof import('../src/adapters/client/plugins/index.ts')
 * }} PackedModules
 */

/**
 * A module of src/ as `tsc` has compiled it into build/. A script that needs another one adds it to the table above.
 * @template {keyof BuiltModules} Source
 * @param {Source} source
 * @returns {Promise<BuiltModules[Source]>}
 * @example const { homeLayout } = await builtModule('src/system/home.ts')
 */
export function builtModule(source) {
  return import(compiled(source))
}

/**
 * What any module of src/ exports, for plugins of the build that only need the names.
 * @param {string} source
 * @returns {Promise<Readonly<Record<string, unknown>>>}
 */
export function builtExports(source) {
  return import(compiled(source))
}

/**
 * A module of dist/, as users get it.
 * @template {keyof PackedModules} Path
 * @param {Path} path
 * @returns {Promise<PackedModules[Path]>}
 * @example const { createRuntime } = await packedModule('lib/index.js')
 */
export function packedModule(path) {
  return import(pathToFileURL(join(ROOT, 'dist', path)).href)
}

/** @param {string} source */
function compiled(source) {
  return pathToFileURL(join(ROOT, 'build', relative('src', source).replace(/\.ts$/, '.js'))).href
}
